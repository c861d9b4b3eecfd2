/**
 * Words by which addresses, parameters and buttons name what they do to a site, in the languages we know. A word forbids only
 * where it stands for a deed: in front of what is done to something, or behind a thing it is done to. In a title, a search or a
 * page of a handbook it is a word like any other.
 */

interface Deed {
  readonly reason: string
  /** Phrases that begin what is named. Words apart by one space, as `wordsOf` gives them. */
  readonly phrases: readonly string[]
}

const list = (text: string): readonly string[] => text.split(',').map((phrase) => phrase.trim())

export const ENDS_SESSION = 'it ends the session'
export const DELETES = 'it deletes'
export const DELETES_ACCOUNTS = 'it deletes accounts or databases'
export const PUTS_AWAY = 'it closes or archives a thing'
export const PAYS = 'it buys or pays'
export const CHANGES_STATE = 'it changes state for good'
export const SWITCHES = 'it sets or switches something'
export const CREATES = 'it creates or installs something'
export const CONFIGURES = 'it sets up or reconfigures the application'
export const STOPS = 'it stops or restarts the service'
export const ORDERS = 'it changes an order'
export const SAVES = 'it saves something'
export const FILLS_CART = 'it fills or empties a cart'

/** Gravest first; the first that fits is the reason. */
export const DEEDS: readonly Deed[] = [
  {
    reason: ENDS_SESSION,
    phrases: list(
      'log out, logout, log off, logoff, sign out, signout, sign off, signoff, end session, abmelden, ausloggen, déconnexion, deconnexion, se déconnecter, se deconnecter, cerrar sesión, cerrar sesion, salir, uitloggen, logga ut, wyloguj, esci, sair',
    ),
  },
  {
    reason: DELETES,
    phrases: list(
      'delete, deletes, del, remove, removes, destroy, erase, purge, drop, truncate, wipe, uninstall, trash, empty, flush, discard, unlink, clear, clean, clean up, cleanup, löschen, loeschen, entfernen, leeren, supprimer, vider, eliminar, borrar, vaciar, verwijderen, elimina, excluir',
    ),
  },
  {
    reason: PAYS,
    phrases: list(
      'buy, buy now, purchase, pay, pay now, refund, reimburse, payout, pay out, cashout, cash out, topup, top up, chargeback, send money, capture payment, charge card, place order, order now, confirm order, submit order, donate, checkout confirm, checkout submit, checkout complete, checkout place, checkout pay, kaufen, bestellen, bezahlen, zahlungspflichtig, acheter, commander, payer, comprar, pagar',
    ),
  },
  {
    reason: FILLS_CART,
    phrases: list(
      'add to cart, add to basket, add to bag, cart add, cart update, cart clear, cart empty, basket add, basket update, basket clear, basket empty, warenkorb add, in den warenkorb, ajouter au panier, añadir al carrito, agregar al carrito, adicionar ao carrinho, aggiungi al carrello, in winkelwagen, lägg i varukorg, do koszyka',
    ),
  },
  {
    reason: 'it changes a subscription',
    phrases: list(
      'unsubscribe, subscribe, opt in, opt out, abbestellen, abonnieren, newsletter add, newsletter join, newsletter leave, leave newsletter, leave the newsletter',
    ),
  },
  {
    reason: 'it sends messages or invites people',
    phrases: list(
      'send mail, send email, send message, send sms, send invite, send invitation, send newsletter, send test, invite, broadcast, notify all, resend',
    ),
  },
  {
    reason: CHANGES_STATE,
    phrases: list(
      'cancel, revoke, reset, disable, deactivate, suspend, spam, unspam, shutdown, shut down, restart, reboot, approve, unapprove, disapprove, untrash, undelete, reject, publish, unpublish, transfer, withdraw, close account, restore, return, rollback, roll back, revert, regenerate, rotate, ban, unban, block, unblock, lock, unlock, promote, demote, grant, impersonate, migrate, upgrade, rebuild, repopulate, recreate, reindex, resync, resynchronize, resynchronise, recalculate, recompute, recount, repair table, repair tables, repair database, repair db, repair index, optimize, optimise, kündigen, kuendigen, zurücksetzen, zuruecksetzen, sperren, deaktivieren, réinitialiser, désactiver, restablecer, desactivar, resetten, uitschakelen, disattiva, ripristina',
    ),
  },
  {
    reason: SWITCHES,
    phrases: list(
      'set, toggle, switch, dismiss, do not show again, don t show again, nicht mehr anzeigen, ne plus afficher, no volver a mostrar, niet meer tonen, enable, activate, turn on, turn off, mark, assign, unassign, configure, customize, customise, make admin, make default, make primary, make public, make private, make active, vote, upvote, downvote, like, unlike, follow, unfollow, watch, unwatch, star, unstar, pin, unpin, add favorite, add favorites, add favourite, add favourites, add to favorites, add to favourites, add to watchlist, add to wishlist, add bookmark, zu favoriten hinzufügen, ajouter aux favoris, añadir a favoritos, aktivieren, umschalten, activer, activar, inschakelen, attiva',
    ),
  },
  {
    reason: ORDERS,
    phrases: list(
      'move, move up, move down, moveup, movedown, move left, move right, reorder, rearrange, order up, order down, sort up, sort down, verschieben, nach oben schieben, nach unten schieben, déplacer, deplacer, mover, verplaatsen, sposta, mover hacia arriba, mover hacia abajo',
    ),
  },
  { reason: SAVES, phrases: list('save, speichern, enregistrer, guardar, opslaan') },
  {
    reason: CREATES,
    phrases: list(
      'install, installer, reinstall, setup, set up, initialize, initialise, init, populate, seed, create db, create database, create databases, create table, create tables, create schema, create index, create backup, create data, create demo, create sample, create admin, create token, create key, insert, duplicate, clone, backup now, run, execute, cron, installieren, installer, instalar',
    ),
  },
]

/**
 * Things and views, too: `/trash` is a list, `/set/3` a set. They are deeds with something that they are done to, or where a
 * parameter says that this is what is to be done.
 */
export const NOUNS_TOO: ReadonlySet<string> = new Set(
  list(
    'refund, payout, cashout, topup, top up, cash out, pay out, chargeback, return, move, trash, spam, empty, clear, drop, transfer, block, lock, upgrade, set, switch, mark, run, vote, like, follow, watch, star, pin, clone, duplicate, insert, purchase, restore, publish, init, seed, execute, discard, flush, cancel, esci, grant, ban, promote, assign, donate, invite, broadcast, revert, clean',
  ),
)

/** Of them, those that need a thing known to be one: "set of knives", "like new", "block editor", "seed swap". */
export const NEED_A_THING: ReadonlySet<string> = new Set(
  list(
    'return, refund, payout, cashout, topup, top up, cash out, pay out, move, set, like, block, drop, watch, star, pin, mark, run, clear, empty, clean, lock, switch, follow, vote, clone, upgrade, seed',
  ),
)

/** What follows them where they are done to something, beside the thing itself: "set as default", "switch to". */
export const ONTO: ReadonlySet<string> = new Set(list('as, to, all, the, this, it, now, my, your, selected'))

/** What can be called off; everything else that is cancelled is a dialogue. */
export const CALLED_OFF =
  /^(?:order|subscription|account|booking|appointment|membership|reservation|job|task|event|payment|invoice|contract|plan|shipment|delivery|request|transfer|meeting|ticket)s?$/

/** Of them, those that values in the address do not make a deed: a film is watched by its number. */
export const VIEWS: ReadonlySet<string> = new Set(list('set, watch, like, star, pin, mark'))

/** Pages of these names often hold the form alone. They are left where an address names them, not where a link does. */
export const PAGES_TOO: ReadonlySet<string> = new Set(
  list('install, installer, setup, set up, configure, customize, customise, upgrade, cron, donate'),
)

/** What undoes or narrows a view and nothing else: "reset filters". */
export const OF_A_VIEW: ReadonlySet<string> = new Set(
  list(
    'filter, filters, search, selection, sort, sorting, zoom, view, form, editing, edit, all filters, suche, auswahl, of',
  ),
)

/** What deeds are done to; `user-delete` is one, `js-delete` is a page about it. */
export const THINGS: ReadonlySet<string> = new Set(
  list(
    'user, users, account, accounts, item, items, post, posts, comment, comments, page, pages, file, files, folder, record, records, entry, entries, row, member, members, customer, order, product, message, messages, image, photo, media, attachment, upload, role, roles, group, groups, key, token, session, sessions, db, database, table, tables, cart, basket, cache, log, logs, data, task, job, event, ticket, note, notes, draft, drafts, topic, thread, reply, review, contact, client, project, site, domain, host, hosts, device, rule, policy, plugin, module, theme, widget, menu, category, tag, link, address, card, payment, invoice, subscription, password, settings, config, option, options, backup, level, mode, status, state, security, difficulty, feature, flag, maintenance, debug, konto, benutzer, beitrag, artikel, eintrag, datei, kommentar, admin, all, pwd, pass, passwd, article, articles, story, wiki, bookmark, alert, notification, notifications, campaign, coupon, quote, vote, poll, server, service, node, volume, bucket, queue, index, default, defaults, up',
  ),
)

/** Deeds that are told behind their thing, too. */
export const BEHIND: ReadonlySet<string> = new Set(
  list(
    'refund, reimburse, payout, cashout, topup, delete, del, remove, move, moveup, movedown, move up, move down, reorder, destroy, drop, truncate, purge, wipe, erase, reset, rebuild, repopulate, reindex, toggle, enable, disable, activate, deactivate, uninstall, approve, unapprove, disapprove, untrash, undelete, reject, publish, unpublish, revoke, restore, suspend, save, clear, cancel, kündigen, löschen, loeschen, entfernen, zurücksetzen, zuruecksetzen, aktivieren, deaktivieren, leeren, sperren, kaufen, bestellen, bezahlen, speichern, abbestellen, abonnieren, add, insert, update',
  ),
)

/**
 * Deeds where a parameter bids them (`action=take`) or they end an address behind a number (`/tickets/3/close`); anywhere else they are
 * views, states and names like any other.
 */
export const ACTS: ReadonlySet<string> = new Set(
  list(
    'take, untake, steal, claim, unclaim, accept, decline, deny, close, reopen, resolve, unresolve, archive, unarchive, unassign, merge, split, hide, unhide, mute, unmute, ack, acknowledge, unacknowledge, snooze, kick, kill, stop, pause, resume, retry, requeue, enqueue, sync, synchronize, synchronise, bump, sticky, unsticky, favorite, unfavorite, favourite, unfavourite, checkin, release, send, forward, übernehmen, uebernehmen, annehmen, ablehnen, schließen, schliessen, erledigen, archivieren, fermer, accepter, refuser, cerrar, aceptar, rechazar',
  ),
)

/** Said before a deed without being one. */
export const FILLERS: ReadonlySet<string> = new Set(
  list(
    'do, ajax, action, perform, please, yes, ok, ja, oui, jetzt, now, permanently, force, bulk, quick, really, confirm, admin, api',
  ),
)

/** Names of what is switched, and the words that it is switched to: `/difficulty/hard`, `security=low`. */
export const SWITCHED =
  /^(?:difficulty|security|seclevel|securitylevel|level|mode|debug|maintenance|verbosity|firewall|protection)$/
export const SWITCHED_TO =
  /^(?:on|off|low|medium|high|hard|easy|normal|impossible|true|false|enabled?|disabled?|none|strict|beginner|intermediate|advanced|expert|insecure|secure|0|1)$/

/** What of an application is set up, and what of it nobody wants reset: a deed done to it reconfigures it. */
export const OF_APPLICATION: ReadonlySet<string> = new Set(
  list(
    'db, database, databases, table, tables, schema, data, demo, application, app, site, system, factory, config, configuration, settings, setting, everything, all, level, security, difficulty, seclevel, mode, maintenance, debug, firewall, protection, lab, environment, plugin, plugins, module, modules, theme, datenbank, einstellungen',
  ),
)
/** Deeds that set an application up, whatever they are done to. */
export const SETS_UP: ReadonlySet<string> = new Set(
  list(
    'install, installer, uninstall, reinstall, setup, set up, initialize, initialise, init, populate, seed, configure, customize, customise, create db, create database, create databases, create table, create tables, create schema, create data, create demo, create sample, migrate, installieren, installer, instalar',
  ),
)
export const RESETS: ReadonlySet<string> = new Set(
  list('reset, restore, rebuild, zurücksetzen, zuruecksetzen, réinitialiser, restablecer, resetten, ripristina'),
)
/** What is reset or restored for whoever asks alone. */
export const OF_A_VISITOR: ReadonlySet<string> = new Set(
  list(
    'layout, state, draft, view, selection, filter, filters, search, form, columns, zoom, prefs, preference, preferences, cart, basket, wishlist, dashboard, bookmarks, favorites, favourites, theme, ansicht, auswahl, warenkorb',
  ),
)
/** Reset without one of them, all are. */
export const ALL_ACCOUNTS: ReadonlySet<string> = new Set(
  list('users, accounts, members, customers, everybody, everything'),
)
export const STOPPING: ReadonlySet<string> = new Set(list('shutdown, shut down, restart, reboot'))
/** What keeps everybody out where it is done to the whole of what a site is. */
export const SHUTTING: ReadonlySet<string> = new Set(
  list('lock, block, disable, deactivate, suspend, sperren, deaktivieren'),
)
export const WHOLES: ReadonlySet<string> = new Set(
  list(
    'site, website, application, app, system, gallery, board, forum, shop, store, wiki, blog, portal, instance, galerie, tienda, boutique',
  ),
)
/** Of what is deleted: people's accounts, and what holds all the rest. */
export const KEPT_ANYWHERE: ReadonlySet<string> = new Set(
  list(
    'account, accounts, user, users, member, members, customer, customers, profile, person, people, admin, konto, benutzer, compte, cuenta, usuario, db, database, databases, table, tables, schema, data, all, everything, site, domain, backup, datenbank, index, bucket, volume',
  ),
)

/** Where pages tell about deeds. */
export const HANDBOOK =
  /^(?:docs?|documentation|help|manuals?|guides?|tutorials?|how-?to|faq|kb|knowledge-?base|reference|learn|handbook|examples?)$/i
/** What is asked for where an address asks for help: the rest of it names a topic. */
export const HELPS = /^(?:help|docs|documentation|manual|handbook)$/i
/** Where single words may be deeds, and texts of several words are titles. */
export const WRITINGS =
  /^(?:blog|wiki|news|articles?|stories|changelog|releases|topics?|tags?|categor(?:y|ies)|questions)$/i
/** Texts, not programs. */
export const TEXT_FILE = /\.(?:md|txt|rst|adoc|csv|log)$/i

/** `branch_up`: one place in an order; `sign_up` and `look_up` are verbs. */
export const isMoved = ([thing = '', ...places]: readonly string[]): boolean =>
  places.length === 1 && /^(?:up|down)$/.test(places[0] ?? '') && !WITH_UP.has(thing)
const WITH_UP: ReadonlySet<string> = new Set(
  list(
    'sign, look, pop, drop, follow, top, back, set, start, warm, clean, mark, pull, page, scroll, drill, break, count, lock, close, slide',
  ),
)

/** The last step of a deed: `/transfer/confirm`. */
export const CARRIED_OUT =
  /^(?:confirm|confirmed|execute|submit|commit|finish|complete|finalize|finalise|bestaetigen|bestätigen|confirmer|confirmar)$/i

/** "Set and refresh filters", "Clear the selection". */
export const NARROWS = /^(?:filters?|sorting|zoom|selection|auswahl)$/

/** A number behind one of them is a record's, and nothing that it is done to: `/account/refund/3`. */
export const RECORDED: ReadonlySet<string> = new Set(list('return, refund, payout'))

/** `take`, `take-ticket` */
export const isAct = ([first = '', next = '', ...rest]: readonly string[]): boolean =>
  ACTS.has(first) && (next === '' || THINGS.has(next)) && rest.length === 0

/** "Close your account", "Deactivate my profile": whoever asks is not let in any more. */
export const ENDS_OWN_ACCOUNT =
  /\b(?:close|deactivate|disable|terminate|cancel|suspend|delete|remove|erase)\s+(?:your|my)\s+(?:[a-z]+\s+)?(?:account|profile|membership)\b/i
