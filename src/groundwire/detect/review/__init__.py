"""The last look at what is about to be flagged: what speaks for the answer after all."""
