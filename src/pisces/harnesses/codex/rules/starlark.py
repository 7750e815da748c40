"""A reader of the Starlark that rules files are written in: values, loops and functions within bounds, no way out.

Starlark is close enough to Python that `ast` parses it. Nothing is compiled or executed: a list of node types is
followed by hand, each step is counted, and whatever is not in the list is refused.
"""

from __future__ import annotations

import ast
import operator

from pisces.harnesses.codex.rules import starlark_values as values
from pisces.harnesses.codex.rules.starlark_values import StarlarkError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    Scope = dict[str, Any]

_MOST_STEPS = 200_000
_DEEPEST = 60
_COMPARED: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, several: item in several,
    ast.NotIn: lambda item, several: item not in several,
}


class _Returned(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class _LoopEnd(Exception):
    pass


class _LoopNext(Exception):
    pass


class StarlarkFunction:
    """A function of the file: a `def` or a `lambda`."""

    def __init__(self, node: ast.FunctionDef | ast.Lambda, scope: Scope, defaults: list[Any]) -> None:
        self.node, self.scope, self.defaults = node, scope, defaults


class Interpreter:
    """`functions` are those that the program offers: each gets the line and the arguments, by position and by name."""

    def __init__(self, functions: Mapping[str, Callable[..., None]]) -> None:
        self.functions = functions
        self.names: Scope = {}
        self.steps = 0
        self.running: list[StarlarkFunction] = []

    def run(self, statements: list[ast.stmt], scope: Scope | None = None) -> None:
        scope = self.names if scope is None else scope
        for statement in statements:
            self.count(statement)
            act = getattr(self, f"_run_{type(statement).__name__.lower()}", None)
            if act is None:
                raise StarlarkError(f"`{type(statement).__name__.lower()}` is not allowed", statement.lineno)
            act(statement, scope)

    def count(self, node: ast.AST) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise StarlarkError("it takes too many steps", getattr(node, "lineno", 0))

    def _run_expr(self, node: ast.Expr, scope: Scope) -> None:
        self.value(node.value, scope)

    def _run_pass(self, _node: ast.Pass, _scope: Scope) -> None:
        """Nothing."""

    def _run_break(self, _node: ast.Break, _scope: Scope) -> None:
        raise _LoopEnd

    def _run_continue(self, _node: ast.Continue, _scope: Scope) -> None:
        raise _LoopNext

    def _run_assign(self, node: ast.Assign, scope: Scope) -> None:
        if len(node.targets) > 1:
            raise StarlarkError("one value has one name", node.lineno)
        self.bind(node.targets[0], self.value(node.value, scope), scope)

    def _run_annassign(self, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value is not None:
            self.bind(node.target, self.value(node.value, scope), scope)

    def _run_augassign(self, node: ast.AugAssign, scope: Scope) -> None:
        if not isinstance(node.target, ast.Name):
            raise StarlarkError("only a name can be changed", node.lineno)
        before = self.value(ast.copy_location(ast.Name(node.target.id, ast.Load()), node), scope)
        scope[node.target.id] = self.combined(node, node.op, before, self.value(node.value, scope))

    def _run_if(self, node: ast.If, scope: Scope) -> None:
        self.run(node.body if self.value(node.test, scope) else node.orelse, scope)

    def _run_for(self, node: ast.For, scope: Scope) -> None:
        if node.orelse:
            raise StarlarkError("`for` has no `else`", node.lineno)
        for item in self.items(node.iter, scope):
            self.bind(node.target, item, scope)
            try:
                self.run(node.body, scope)
            except _LoopNext:
                continue
            except _LoopEnd:
                break

    def _run_functiondef(self, node: ast.FunctionDef, scope: Scope) -> None:
        if node.decorator_list:
            raise StarlarkError("a function has no decorators", node.lineno)
        scope[node.name] = StarlarkFunction(node, scope, [self.value(each, scope) for each in node.args.defaults])

    def _run_return(self, node: ast.Return, scope: Scope) -> None:
        if not self.running:
            raise StarlarkError("`return` outside of a function", node.lineno)
        raise _Returned(self.value(node.value, scope) if node.value else None)

    def bind(self, target: ast.expr, value: Any, scope: Scope) -> None:
        if isinstance(target, ast.Name):
            scope[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            items = values.listed(value, target.lineno)
            if len(items) != len(target.elts):
                raise StarlarkError("the number of values differs", target.lineno)
            for each, item in zip(target.elts, items, strict=True):
                self.bind(each, item, scope)
        else:
            raise StarlarkError("a value is stored under a name only", target.lineno)

    def value(self, node: ast.expr, scope: Scope) -> Any:
        self.count(node)
        if isinstance(node, ast.Constant):
            return values.constant(node)
        find = getattr(self, f"_of_{type(node).__name__.lower()}", None)
        if find is None:
            raise StarlarkError(f"`{type(node).__name__.lower()}` is not allowed", node.lineno)
        return find(node, scope)

    def _of_name(self, node: ast.Name, scope: Scope) -> Any:
        for names in (scope, self.names):
            if node.id in names:
                return names[node.id]
        if node.id in self.functions or node.id in values.BUILT_IN:
            return values.Named(node.id)
        raise StarlarkError(f"`{node.id}` is not defined", node.lineno)

    def _of_list(self, node: ast.List, scope: Scope) -> list[Any]:
        return [self.value(each, scope) for each in node.elts]

    def _of_tuple(self, node: ast.Tuple, scope: Scope) -> tuple[Any, ...]:
        return tuple(self.value(each, scope) for each in node.elts)

    def _of_dict(self, node: ast.Dict, scope: Scope) -> dict[Any, Any]:
        if None in node.keys:
            raise StarlarkError("a dict is not unpacked", node.lineno)
        pairs = zip(node.keys, node.values, strict=True)
        return {values.key(self.value(key, scope), node.lineno): self.value(each, scope) for key, each in pairs if key}

    def _of_binop(self, node: ast.BinOp, scope: Scope) -> Any:
        return self.combined(node, node.op, self.value(node.left, scope), self.value(node.right, scope))

    def combined(self, node: ast.AST, sign: ast.operator, left: Any, right: Any) -> Any:
        return values.combined(type(sign).__name__, left, right, getattr(node, "lineno", 0))

    def _of_boolop(self, node: ast.BoolOp, scope: Scope) -> Any:
        value = None
        for each in node.values:
            value = self.value(each, scope)
            if bool(value) == isinstance(node.op, ast.Or):
                break
        return value

    def _of_unaryop(self, node: ast.UnaryOp, scope: Scope) -> Any:
        value = self.value(node.operand, scope)
        if isinstance(node.op, ast.Not):
            return not value
        if isinstance(node.op, ast.USub) and type(value) is int:
            return -value
        raise StarlarkError("that sign is not allowed here", node.lineno)

    def _of_compare(self, node: ast.Compare, scope: Scope) -> bool:
        compare = _COMPARED.get(type(node.ops[0]))
        if compare is None or len(node.ops) > 1:
            raise StarlarkError("that comparison is not allowed", node.lineno)
        try:
            return bool(compare(self.value(node.left, scope), self.value(node.comparators[0], scope)))
        except TypeError as error:
            raise StarlarkError("these values cannot be compared", node.lineno) from error

    def _of_ifexp(self, node: ast.IfExp, scope: Scope) -> Any:
        return self.value(node.body if self.value(node.test, scope) else node.orelse, scope)

    def _of_subscript(self, node: ast.Subscript, scope: Scope) -> Any:
        if isinstance(node.slice, ast.Slice):
            parts = [None if each is None else self.value(each, scope) for each in (node.slice.lower, node.slice.upper)]
            return values.sliced(self.value(node.value, scope), parts, node.lineno)
        return values.indexed(self.value(node.value, scope), self.value(node.slice, scope), node.lineno)

    def _of_joinedstr(self, node: ast.JoinedStr, scope: Scope) -> str:
        parts = []
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                if each.format_spec or each.conversion != -1 or not isinstance(each.value, ast.Name):
                    raise StarlarkError("only names stand in such a text", node.lineno)
                parts.append(values.text(self.value(each.value, scope)))
            else:
                parts.append(self.value(each, scope))
        return "".join(parts)

    def _of_listcomp(self, node: ast.ListComp, scope: Scope) -> list[Any]:
        made: list[Any] = []
        for inner in self.comprehended(node.generators, dict(scope)):
            made.append(self.value(node.elt, inner))
        return made

    def _of_dictcomp(self, node: ast.DictComp, scope: Scope) -> dict[Any, Any]:
        return {
            values.key(self.value(node.key, inner), node.lineno): self.value(node.value, inner)
            for inner in self.comprehended(node.generators, dict(scope))
        }

    def comprehended(self, generators: list[ast.comprehension], scope: Scope) -> Iterator[Scope]:
        if not generators:
            yield scope
            return
        first, *others = generators
        for item in self.items(first.iter, scope):
            self.count(first.iter)
            self.bind(first.target, item, scope)
            if all(self.value(each, scope) for each in first.ifs):
                yield from self.comprehended(others, scope)

    def items(self, node: ast.expr, scope: Scope) -> list[Any]:
        return values.listed(self.value(node, scope), node.lineno)

    def _of_lambda(self, node: ast.Lambda, scope: Scope) -> StarlarkFunction:
        return StarlarkFunction(node, scope, [self.value(each, scope) for each in node.args.defaults])

    def _of_call(self, node: ast.Call, scope: Scope) -> Any:
        given, named = self.arguments(node, scope)
        if isinstance(node.func, ast.Attribute):
            owner = self.value(node.func.value, scope)
            return values.method(owner, node.func.attr, given, named, node.lineno)
        called = self.value(node.func, scope)
        if isinstance(called, StarlarkFunction):
            return self.called(called, given, named, node.lineno)
        if not isinstance(called, values.Named):
            raise StarlarkError("that is no function", node.lineno)
        if called.name in self.functions:
            return self.functions[called.name](node.lineno, *given, **named)
        return values.built_in(called.name, given, named, node.lineno)

    def arguments(self, node: ast.Call, scope: Scope) -> tuple[list[Any], dict[str, Any]]:
        given: list[Any] = []
        named: dict[str, Any] = {}
        for each in node.args:
            if isinstance(each, ast.Starred):
                given += self.items(each.value, scope)
            else:
                given.append(self.value(each, scope))
        for keyword in node.keywords:
            value = self.value(keyword.value, scope)
            more = {keyword.arg: value} if keyword.arg else value
            if not isinstance(more, dict) or not all(isinstance(name, str) and name not in named for name in more):
                raise StarlarkError("the arguments cannot be used", node.lineno)
            named.update(more)
        return given, named

    def called(self, function: StarlarkFunction, given: list[Any], named: dict[str, Any], line: int) -> Any:
        if function in self.running or len(self.running) > _DEEPEST:
            raise StarlarkError("a function calls itself", line)
        scope = {**function.scope, **_bound(function, given, named, line)}
        self.running.append(function)
        try:
            if isinstance(function.node, ast.Lambda):
                return self.value(function.node.body, scope)
            self.run(function.node.body, scope)
        except _Returned as returned:
            return returned.value
        finally:
            self.running.pop()
        return None


def _bound(function: StarlarkFunction, given: list[Any], named: dict[str, Any], line: int) -> Scope:
    arguments = function.node.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
        raise StarlarkError("only plain parameters are allowed", line)
    names = [each.arg for each in arguments.args]
    bound = dict(zip(names[len(names) - len(function.defaults) :], function.defaults, strict=True))
    bound.update(zip(names, given, strict=False))
    if len(given) > len(names) or any(name not in names or name in names[: len(given)] for name in named):
        raise StarlarkError("the arguments do not fit the function", line)
    bound.update(named)
    if len(bound) < len(names):
        raise StarlarkError("an argument is missing", line)
    return bound
