"""New pairs from the sentences of public ones, with labels that follow from logic rather than from a guess."""
