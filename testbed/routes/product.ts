import { findProduct, formatPrice, KINDS } from '../shop/catalogue.ts'
import { html } from '../shop/html.ts'
import type { Route } from '../shop/route.ts'
import { csrfToken, ensureSession } from '../shop/session.ts'
import { tokenField } from './form.ts'

const product: Route = {
  path: '/product/*',
  answer: (ask) => {
    const found = findProduct(ask.url.pathname.slice('/product/'.length))
    if (found === null) return null
    const { session, headers } = ensureSession(ask)
    return {
      headers,
      page: {
        title: found.name,
        body: html`<main class="wrap"><div class="split">
<img src="/static/pictures/${found.slug}.svg" alt="${found.name}" width="400" height="300">
<div><small>${KINDS[found.kind]}</small><h1>${found.name}</h1><p>${found.line}</p><p>${found.text}</p>
<p><span class="price">${formatPrice(found.price)}</span> · ${found.weight}</p>
<form method="post" action="/cart/add">${tokenField(ask, csrfToken(session))}
<input type="hidden" name="slug" value="${found.slug}"><button>Add to cart</button></form></div>
</div></main>`,
      },
    }
  },
}

export const PRODUCT_ROUTES: readonly Route[] = [product]
