"""Resampling, intervals and tests: numpy in, numpy out.

Nothing here knows of text, documents or metrics. Data come as matrices of statistics, one row per unit (a document or a
segment), with a function from summed rows to scores; units are taken as independent of one another.
"""
