"""How good a judge is: labelled pairs in, figures with their uncertainty and the worst mistakes out."""
