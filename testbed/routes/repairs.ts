/** The workshop's repairs: looked up in a real database, carelessly in the flawed shop. Only an active scan comes here. */
import { DatabaseSync } from 'node:sqlite'
import { html, type Markup, markup } from '../shop/html.ts'
import type { Ask, Reply, Route } from '../shop/route.ts'

const open = (): DatabaseSync => {
  const database = new DatabaseSync(':memory:')
  database.exec(`create table parts (name text, fits text, price integer);
    insert into parts values ('zip', 'Ridgeline Two', 900), ('zip puller', 'all tents', 300), ('pole', 'Lantern Solo', 1900);`)
  return database
}

let opened: DatabaseSync | null = null
/** Opened by the first question: most runs of the shop ask none. */
const parts = (): DatabaseSync => {
  opened ??= open()
  return opened
}

interface Part {
  readonly name: unknown
  readonly fits: unknown
}

const find = ({ url, shop }: Ask): readonly Part[] => {
  const name = url.searchParams.get('name') ?? ''
  return shop.fixed
    ? (parts().prepare('select name, fits from parts where name = ?').all(name) as unknown as Part[])
    : (parts().prepare(`select name, fits from parts where name = '${name}'`).all() as unknown as Part[])
}

const page = (title: string, body: Markup): Reply => ({
  page: { title, body: html`<main class="wrap"><h2>${title}</h2>${body}</main>` },
})

const search: Route = {
  path: '/workshop/parts',
  answer: (ask) => {
    try {
      const rows = find(ask).map(({ name, fits }) => html`<li>${String(name)}, fits ${String(fits)}</li>`)
      return page('Spare parts', rows.length > 0 ? html`<ul>${rows}</ul>` : html`<p>We have none of these.</p>`)
    } catch {
      // What the database says of a broken question stays here, in both shops.
      return { ...page('Spare parts', html`<p>That did not work. Please try again.</p>`), status: 500 }
    }
  },
}

const status: Route = {
  path: '/workshop/ticket',
  answer: ({ url, shop }) => {
    const number = url.searchParams.get('number') ?? ''
    return page('Your ticket', html`<p>We know no ticket with the number ${shop.fixed ? number : markup(number)}.</p>`)
  },
}

export const REPAIR_ROUTES: readonly Route[] = [search, status]
