import { flawsAt } from '../flaws.ts'
import { html, type Markup, markup } from './html.ts'
import type { Ask } from './route.ts'

export const SHOP_NAME = 'Northfold Outfitters'

/** The frame around every page. */
export const layout = (ask: Ask, title: string, body: Markup): string => {
  const { shop } = ask
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${SHOP_NAME}</title>
${shop.fixed ? null : markup('<meta name="generator" content="Trailcart 3.2.1">')}
<link rel="icon" href="/static/logo.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/shop.css">
${scripts(ask)}
</head>
<body>
<header class="top"><div class="wrap">
<a class="brand" href="/"><img src="/static/logo.svg" alt="">Northfold</a>
<nav><a href="/range/tents">Tents</a><a href="/range/packs">Packs</a><a href="/range/stoves">Stoves</a><a href="/range/clothing">Clothing</a></nav>
<form class="search" action="/search" method="get"><input type="search" name="q" placeholder="Search" aria-label="Search"></form>
<nav><a href="/account">Account</a><a href="/cart">Cart</a><a href="/checkout">Checkout</a></nav>
</div></header>
${body}
${shop.fixed ? null : flawsAt(ask.url.pathname).flatMap((flaw) => flaw.body ?? [])}
<footer><div class="wrap"><span>${SHOP_NAME}, an invented shop</span><a href="/contact">Contact</a><a href="/stores">Stores</a><a href="/help">Help</a><a href="/imprint">Imprint</a><a href="/privacy">Privacy</a></div></footer>
</body>
</html>
`.markup
}

/** The flawed shop also pulls a script from another host without a checksum. */
const scripts = ({ shop, nonce }: Ask): Markup =>
  shop.fixed
    ? html`<script src="/static/shop.js" nonce="${nonce}" defer></script>`
    : markup(`<script src="/static/shop.js" defer></script>
<script src="https://cdn.widgets.test/reviews.js" defer></script>`)
