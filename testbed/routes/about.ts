import { html, markup } from '../shop/html.ts'
import type { Route } from '../shop/route.ts'
import { csrfToken, ensureSession, isForged } from '../shop/session.ts'
import { tokenField } from './form.ts'

const contact: Route = {
  path: '/contact',
  answer: (ask) => {
    const { session, headers } = ensureSession(ask)
    const sent = ask.method === 'POST' && !isForged(ask)
    return {
      headers,
      page: {
        title: 'Contact',
        body: html`<main class="wrap"><h2>Write to us</h2>
${sent ? html`<p class="note">Thank you, we have it.</p>` : null}
<form class="stack" method="post" action="/contact">${tokenField(ask, csrfToken(session))}
<label>Name<input name="name" autocomplete="name" required></label>
<label>E-mail<input type="email" name="email" autocomplete="email" required></label>
<label>Message<textarea name="message" rows="5" required></textarea></label>
<button>Send</button></form></main>`,
      },
    }
  },
}

/** What a PHP page prints when its database is away and display_errors is on. */
const BROKEN = markup(`<br />
<b>Warning</b>:  mysqli_connect(): (HY000/2002): Connection refused in <b>/var/www/northfold/stores.php</b> on line <b>12</b><br />
<br />
<b>Fatal error</b>:  Uncaught mysqli_sql_exception: You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '' at line 1 in /var/www/northfold/stores.php:27
Stack trace:
#0 /var/www/northfold/stores.php(27): mysqli_query(Object(mysqli), 'SELECT * FROM s...')
#1 /var/www/northfold/index.php(8): require_once('/var/www/northf...')
#2 {main}
  thrown in <b>/var/www/northfold/stores.php</b> on line <b>27</b><br />`)

const stores: Route = {
  path: '/stores',
  answer: ({ shop }) => ({
    page: {
      title: 'Stores',
      body: shop.fixed
        ? html`<main class="wrap"><h2>Stores</h2><p>Harbour Lane 4, Eastmere. Open Tuesday to Saturday.</p></main>`
        : html`<main class="wrap"><h2>Stores</h2>${BROKEN}</main>`,
    },
  }),
}

const help: Route = {
  path: '/help',
  answer: () => ({
    page: {
      title: 'Help',
      body: html`<main class="wrap"><h2>Help</h2><p>Parcels take three days, returns are free for thirty.</p></main>`,
    },
  }),
}

const imprint: Route = {
  path: '/imprint',
  answer: () => ({
    page: {
      title: 'Imprint',
      body: html`<main class="wrap"><h2>Imprint</h2><p>Northfold Outfitters, Harbour Lane 4, Eastmere. An invented company.</p></main>`,
    },
  }),
}

const privacy: Route = {
  path: '/privacy',
  answer: () => ({
    page: {
      title: 'Privacy',
      body: html`<main class="wrap"><h2>Privacy</h2><p>One cookie holds your cart. Nothing else is kept.</p></main>`,
    },
  }),
}

export const ABOUT_ROUTES: readonly Route[] = [contact, stores, help, imprint, privacy]
