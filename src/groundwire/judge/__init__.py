"""Claim × evidence → verdict. Rules decide what rules decide exactly; other judges join behind the same protocol."""
