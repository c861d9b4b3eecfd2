import { findProduct, formatPrice } from '../shop/catalogue.ts'
import { html, type Markup } from '../shop/html.ts'
import { type Ask, type Reply, type Route, redirect } from '../shop/route.ts'
import { csrfToken, ensureSession, isForged, readSession } from '../shop/session.ts'
import { tokenField } from './form.ts'

const forged: Reply = {
  status: 403,
  page: { title: 'Please try again', body: html`<main class="wrap"><h2>The form has expired</h2></main>` },
}

const cart: Route = {
  path: '/cart',
  answer: (ask) => {
    const { table, total } = summarise(ask)
    const action = total > 0 ? html`<a class="button" href="/checkout">To checkout</a>` : null
    return { page: { title: 'Cart', body: html`<main class="wrap"><h2>Your cart</h2>${table}${action}</main>` } }
  },
}

const add: Route = {
  path: '/cart/add',
  answer: (ask) => {
    if (ask.method !== 'POST') return redirect('/cart')
    if (isForged(ask)) return forged
    const found = findProduct(ask.form.get('slug') ?? '')
    const { session, headers } = ensureSession(ask)
    if (found !== null) ask.shop.carts.add(session, found.slug)
    return redirect('/cart', headers)
  },
}

const checkout: Route = {
  path: '/checkout',
  answer: (ask) => {
    const { session, headers } = ensureSession(ask)
    if (ask.method === 'POST') {
      if (isForged(ask)) return forged
      ask.shop.carts.empty(session)
      const thanks = html`<main class="wrap"><h2>Thank you</h2><p class="note">Nothing is sent: the shop is invented.</p></main>`
      return { headers, page: { title: 'Thank you', body: thanks } }
    }
    return {
      headers,
      page: {
        title: 'Checkout',
        body: html`<main class="wrap"><h2>Checkout</h2>${summarise(ask).table}
<form class="stack" method="post" action="/checkout">${tokenField(ask, csrfToken(session))}
<label>Name<input name="name" autocomplete="name" required></label>
<label>Address<input name="address" autocomplete="street-address" required></label>
<label>Card number<input name="card_number" inputmode="numeric" autocomplete="${ask.shop.fixed ? 'cc-number' : 'on'}" required></label>
<button>Pay</button></form></main>`,
      },
    }
  },
}

const summarise = (ask: Ask): { readonly table: Markup; readonly total: number } => {
  const goods = [...ask.shop.carts.read(readSession(ask))].flatMap(([slug, count]) => {
    const product = findProduct(slug)
    return product === null ? [] : [{ product, count }]
  })
  const total = goods.reduce((sum, { product, count }) => sum + product.price * count, 0)
  if (goods.length === 0) return { total, table: html`<p class="note">The cart is empty.</p>` }
  const rows = goods.map(
    ({ product, count }) =>
      html`<tr><td>${product.name}</td><td>${count}</td><td>${formatPrice(product.price * count)}</td></tr>`,
  )
  return {
    total,
    table: html`<table><tr><th>Article</th><th>Count</th><th>Price</th></tr>${rows}
<tr><th>Total</th><td></td><th>${formatPrice(total)}</th></tr></table>`,
  }
}

export const CART_ROUTES: readonly Route[] = [cart, add, checkout]
