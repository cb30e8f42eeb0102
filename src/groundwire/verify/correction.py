"""Correction: the answer itself, changed only where it must be. How words are changed is the text layer's."""

from groundwire.text.editing import Edit as Edit
from groundwire.text.editing import apply_edits as apply_edits
from groundwire.text.editing import drop_negation as drop_negation
from groundwire.text.editing import replace_value as replace_value
