"""Results for people and programs: terminal tables, JSON, CSV, LaTeX. Nothing is computed here that a result lacks."""
