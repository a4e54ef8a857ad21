"""From text to annotated segments: language packs, spaCy pipelines, the cache, and the analyser that joins them."""
