"""filrouge evaluates machine translation of documents."""
