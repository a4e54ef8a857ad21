"""The metrics: one file per family, `base` holds the contract, `registry` the names."""
