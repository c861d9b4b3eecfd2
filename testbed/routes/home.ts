import { formatPrice, KINDS, PRODUCTS, type Product, searchProducts } from '../shop/catalogue.ts'
import { html, type Markup, markup } from '../shop/html.ts'
import type { Route } from '../shop/route.ts'
import { ensureSession } from '../shop/session.ts'

export const productGrid = (products: readonly Product[]): Markup =>
  html`<div class="grid">${products.map(
    (product) => html`<a class="card" href="/product/${product.slug}">
<img src="/static/pictures/${product.slug}.svg" alt="${product.name}" width="400" height="300">
<div><strong>${product.name}</strong><small>${product.line}</small><br><span class="price">${formatPrice(product.price)}</span></div></a>`,
  )}</div>`

/** Left behind by whoever set the shop up. */
const LEFTOVERS = markup(`<!-- TODO remove before launch: admin login is user=shopadmin password=Summer-2024!x -->
<!-- stock service: http://10.20.30.41:8080/stock, ask e.lindqvist@northfold.test -->`)

/** Few enough that a scan of twenty pages also sees the rest of the shop. */
const SEASON = 6

const home: Route = {
  path: '/',
  answer: (ask) => ({
    headers: ensureSession(ask).headers,
    page: {
      title: 'Goods for the long way round',
      body: html`<section class="hero"><div class="wrap"><div><h1>Goods for the long way round</h1>
<p>Tents, packs and small comforts, made for people who come home later than planned.</p>
<a class="button" href="/range/tents">See the tents</a></div><img src="/static/scene.svg" alt="" width="640" height="400"></div></section>
${ask.shop.fixed ? null : LEFTOVERS}
<main class="wrap"><h2>This season</h2>${productGrid(PRODUCTS.slice(0, SEASON))}</main>`,
    },
  }),
}

const range: Route = {
  path: '/range/*',
  answer: (ask) => {
    const kind = ask.url.pathname.slice('/range/'.length)
    if (!Object.hasOwn(KINDS, kind)) return null
    const title = KINDS[kind as keyof typeof KINDS]
    const products = PRODUCTS.filter((product) => product.kind === kind)
    return { page: { title, body: html`<main class="wrap"><h2>${title}</h2>${productGrid(products)}</main>` } }
  },
}

const search: Route = {
  path: '/search',
  answer: (ask) => {
    const words = (ask.url.searchParams.get('q') ?? '').slice(0, 100)
    const found = searchProducts(words)
    return {
      page: {
        title: 'Search',
        body: html`<main class="wrap"><h2>${found.length} for “${words}”</h2>${productGrid(found)}</main>`,
      },
    }
  },
}

export const HOME_ROUTES: readonly Route[] = [home, range, search]
