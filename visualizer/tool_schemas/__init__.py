"""Tool definitions as a request holds them, and whether arguments fit their schemas."""

from visualizer.tool_schemas.definitions import Parameter, name_of, parameters_of, schema_of
from visualizer.tool_schemas.verdict import Misfit, Verdict, check_arguments

__all__ = [
    "Misfit",
    "Parameter",
    "Verdict",
    "check_arguments",
    "name_of",
    "parameters_of",
    "schema_of",
]
