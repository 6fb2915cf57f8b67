"""What an abstraction costs: values by linear programmes, losses by best responses, and bounds."""
