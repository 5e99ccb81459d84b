import no_such_module_anywhere


def loop(model, tools, messages):
    return no_such_module_anywhere
