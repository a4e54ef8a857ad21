"""Meta-evaluation: what people say of translations, and how well metrics agree with them.

`judgments.py` holds the values, `filrouge.io.judgments` reads them from files, `gold.py` makes arrays of them.
"""
