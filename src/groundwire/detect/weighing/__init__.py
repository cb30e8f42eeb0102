"""How two statements stand to each other, told by what they share and by what a judge of language makes of them."""
