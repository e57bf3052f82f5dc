"""Replies and reports as tables for people. Texts of the shop are shown as they are, never as markup."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

MAX_REJECTED_SHOWN = 20


def show_reply(reply: Mapping[str, Any], console: Console | None = None) -> None:
    """The answer, the products it shows, what may be chosen, the cart."""
    console = console or Console()
    console.print(Text(str(reply.get("answer", "")), style="bold"))
    if products := reply.get("products"):
        console.print(_products(products))
    for name in ("choices", "suggestions"):
        if chips := [
            str(chip.get("label", chip)) if isinstance(chip, Mapping) else str(chip)
            for chip in reply.get(name) or []
        ]:
            console.print(Text(f"{name}: " + " · ".join(chips), style="cyan"))
    cart = reply.get("cart") or {}
    if cart.get("items"):
        console.print(_cart(cart))
    facts = [
        f"{name} {reply[name]}"
        for name in ("route", "intent", "finish", "model")
        if reply.get(name)
    ]
    if cost := (reply.get("usage") or {}).get("costUsd"):
        facts.append(f"cost ${cost:.6f}")
    console.print(Text(" · ".join(facts), style="dim"))


def _products(products: Sequence[Mapping[str, Any]]) -> Table:
    table = Table(title="Products", title_justify="left", box=None, header_style="dim")
    for column in ("id", "name", "brand"):
        table.add_column(column)
    table.add_column("price", justify="right")
    table.add_column("stock", justify="right")
    for product in products:
        table.add_row(
            *(Text(str(product.get(name, ""))) for name in ("id", "name", "brand")),
            _amount(product.get("price"), product.get("currency")),
            _stock(product),
        )
    return table


def _stock(product: Mapping[str, Any]) -> Text:
    """The number of pieces, or a word where nobody counts them."""
    if product.get("stock") is not None:
        return Text(str(product["stock"]))
    return Text("yes" if product.get("inStock", True) else "no")


def _cart(cart: Mapping[str, Any]) -> Table:
    table = Table(
        title="Cart", title_justify="left", box=None, header_style="dim", show_footer=True
    )
    currency = cart.get("currency")
    table.add_column("quantity", justify="right")
    table.add_column("name", footer="total, before delivery")
    table.add_column("price", justify="right")
    table.add_column("sum", justify="right", footer=_amount(cart.get("total"), currency))
    for item in cart["items"]:
        table.add_row(
            Text(str(item.get("quantity", ""))),
            Text(str(item.get("name", ""))),
            _amount(item.get("unitPrice"), currency),
            _amount(item.get("lineTotal"), currency),
        )
    return table


def _amount(value: Any, currency: Any) -> Text:
    return Text("" if value is None else f"{value:,} {currency or ''}".strip())


def show_report(report: Mapping[str, Any], console: Console | None = None) -> None:
    """What an ingestion did, with the rejected rows by line."""
    console = console or Console()
    style = {"applied": "green", "refused": "red"}.get(str(report["status"]), "yellow")
    console.print(Text(f"{report['source']}: {report['status']}", style=style))
    if report.get("error"):
        console.print(
            Text(f"  {report['error']['code']}: {report['error']['message']}", style="red")
        )
    counts = [f"{name} {count}" for name, count in report.get("counts", {}).items() if count]
    console.print(
        Text(
            f"  {', '.join(counts) or 'nothing changed'}"
            f"; {report.get('durationMs', 0) / 1000:.1f} s"
        )
    )
    rejected = report.get("rejected") or []
    for row in rejected[:MAX_REJECTED_SHOWN]:
        name = f" {row['id']}" if row.get("id") else ""
        console.print(
            Text(f"  line {row['line']}{name}: {row['reasonCode']}: {row['hint']}", style="yellow")
        )
    more = len(rejected) - MAX_REJECTED_SHOWN + int(report.get("rejectedNotListed") or 0)
    if more > 0:
        console.print(Text(f"  and {more} more rejected rows (--json lists them)", style="yellow"))
