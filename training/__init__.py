"""How the verifier is made: data, teacher, student, quantisation, calibration. Not part of the wheel."""
