/** The REST interface of the application, as its developers wrote it, in a hurry here and there. */
import type { Data, Owned, Table, User } from './data.ts'

export interface Call {
  readonly user: User | null
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  readonly data: Data
}
/** A status, or what is sent with 200. */
export type Result = {
  readonly status?: number
  readonly json?: unknown
  readonly text?: string
  readonly location?: string
}
export interface Route {
  readonly method: string
  /** `/api/invoices/{id}` */
  readonly path: string
  readonly run: (call: Call) => Result
}

const DENIED: Result = { status: 401, json: { error: 'unauthenticated' } }
const FORBIDDEN: Result = { status: 403, json: { error: 'forbidden' } }
const MISSING: Result = { status: 404, json: { error: 'not found' } }

type Signed = Call & { readonly user: User }
const signedIn =
  (run: (call: Signed) => Result) =>
  (call: Call): Result =>
    call.user === null ? DENIED : run({ ...call, user: call.user })
const adminOnly = (run: (call: Signed) => Result) =>
  signedIn((call) => (call.user.role === 'admin' ? run(call) : FORBIDDEN))

export const table = ({ data }: Pick<Call, 'data'>, name: string): Table => data.tables[name] ?? []
export const byId = (
  call: Pick<Call, 'data'>,
  name: string,
  id: unknown,
): (Owned & { [name: string]: unknown }) | undefined => table(call, name).find((row) => String(row.id) === String(id))
const json = (value: unknown): Result => ({ json: value })
const shown = (row: unknown): Result => (row === undefined ? MISSING : json(row))

const ofTenant = (name: string) =>
  signedIn((call) => json(table(call, name).filter(({ tenant }) => tenant === call.user.tenant)))
const ofUser = (name: string) =>
  signedIn((call) => json({ items: table(call, name).filter(({ user }) => user === call.user.id) }))
/** By its id, for those who may. */
const one = (name: string, may: (row: Owned & { [name: string]: unknown }, user: User) => boolean) =>
  signedIn((call) => {
    const row = byId(call, name, call.params.id)
    return row !== undefined && may(row, call.user) ? json(row) : MISSING
  })
const found = (name: string) => signedIn((call) => shown(byId(call, name, call.params.id)))
const get = (path: string, run: Route['run']): Route => ({ method: 'GET', path, run })
const mine = (row: Owned, user: User): boolean => row.user === user.id
const memberOf = (call: Signed, id: unknown): boolean =>
  (byId(call, 'projects', id)?.members as number[] | undefined)?.includes(call.user.id) ?? false
const publicUser = ({ id, name, bio }: User) => ({ id, name, bio })
const contact = ({ id, name, email, role }: User) => ({ id, name, email, role })

export const ROUTES: readonly Route[] = [
  // accounts
  get(
    '/api/me',
    signedIn(({ user }) => json({ id: user.id, name: user.name, email: user.email, role: user.role, bio: user.bio })),
  ),
  get(
    '/api/users',
    signedIn(({ user, data }) => json(data.users.filter(({ tenant }) => tenant === user.tenant).map(contact))),
  ),
  get(
    '/api/profiles/{userId}',
    signedIn(({ data, params }) => {
      const user = data.users.find(({ id }) => String(id) === params.userId)
      return user === undefined ? MISSING : json(publicUser(user))
    }),
  ),
  get('/api/session', ({ user }) => json({ user: user === null ? null : publicUser(user) })),
  get(
    '/api/settings',
    signedIn(({ user }) => json({ theme: 'dark', signature: `Regards, ${user.name}`, email: user.email })),
  ),
  get('/api/addresses', ofUser('addresses')),
  get('/api/addresses/{id}', found('addresses')),
  get('/api/cards', ofUser('cards')),
  get('/api/cards/{id}', found('cards')),
  get('/api/payslips', ofUser('payslips')),
  get('/api/payslips/{id}', found('payslips')),
  get('/api/messages', ofUser('messages')),
  get('/api/messages/{id}', found('messages')),
  // sales
  get('/api/invoices', ofTenant('invoices')),
  get('/api/invoices/{id}', found('invoices')),
  get(
    '/api/invoices/{id}/pdf',
    signedIn((call) => {
      const row = byId(call, 'invoices', call.params.id)
      return row === undefined
        ? MISSING
        : { text: `INVOICE\n${row.number}\nTo: ${row.recipient}\nTotal: ${row.total} EUR\n` }
    }),
  ),
  get('/api/orders', ofTenant('orders')),
  get('/api/orders/{id}', found('orders')),
  get('/api/orders/{id}/label', (call) => {
    const row = byId(call, 'orders', call.params.id)
    return row === undefined ? MISSING : { text: `Deliver to\n${row.street}\n${row.note}\n${row.reference}\n` }
  }),
  get('/api/orders/{id}/tracking', (call) => {
    const row = byId(call, 'orders', call.params.id)
    return row === undefined ? MISSING : json({ id: row.id, status: row.status, eta: '2026-12-01' })
  }),
  get('/api/customers', ofTenant('customers')),
  get('/api/customers/export', (call) => ({
    text: table(call, 'customers')
      .map((row) => `${row.id};${row.name};${row.email};${row.phone}`)
      .join('\n'),
  })),
  get('/api/customers/{id}', found('customers')),
  get(
    '/api/leads',
    signedIn((call) => json(table(call, 'leads'))),
  ),
  get('/api/leads/{id}', one('leads', mine)),
  get('/api/quotes', ofUser('quotes')),
  get(
    '/api/quotes/{id}',
    signedIn((call) => {
      const row = byId(call, 'quotes', call.params.id)
      return row !== undefined && mine(row, call.user)
        ? json(row)
        : json({ success: false, error: 'You do not have access to this quote' })
    }),
  ),
  get('/api/contracts', ofUser('contracts')),
  get(
    '/api/contracts/{id}',
    signedIn((call) => {
      const row = byId(call, 'contracts', call.params.id)
      if (row === undefined) return MISSING
      return json(mine(row, call.user) ? row : { ...row, email: '***', phone: '***', user: null })
    }),
  ),
  get('/api/carts', ofUser('carts')),
  get(
    '/api/carts/{id}',
    signedIn((call) => shown(table(call, 'carts').find((row) => mine(row, call.user)))),
  ),
  get(
    '/api/statements',
    signedIn((call) => {
      const account = call.query.get('statement_id')
      if (account !== null) return shown(byId(call, 'statements', account))
      return json(table(call, 'statements').filter((row) => mine(row, call.user)))
    }),
  ),
  // paper
  get('/api/documents', ofUser('documents')),
  get('/api/documents/{id}', found('documents')),
  get(
    '/api/inbox',
    signedIn((call) =>
      json(table(call, 'documents').filter(({ shared_with }) => (shared_with as number[]).includes(call.user.id))),
    ),
  ),
  get('/api/reports', ofUser('reports')),
  get(
    '/api/reports/{id}',
    signedIn((call) => {
      const row = byId(call, 'reports', call.params.id)
      return row !== undefined && mine(row, call.user) ? json(row) : { status: 302, location: '/login' }
    }),
  ),
  get('/api/notes', ofUser('notes')),
  get(
    '/api/notes/{id}',
    signedIn((call) => {
      const row = byId(call, 'notes', call.params.id)
      return json(row !== undefined && mine(row, call.user) ? row : {})
    }),
  ),
  get('/api/shared/{token}', (call) =>
    call.params.token === SHARE
      ? json({ title: 'Price list of Alice Thornton', email: 'alice.thornton@northwind.example' })
      : MISSING,
  ),
  get(
    '/api/shares',
    signedIn(({ user }) => json(user.id === 1 ? [{ token: SHARE, title: 'Price list of Alice Thornton' }] : [])),
  ),
  // work
  get(
    '/api/projects',
    signedIn((call) => json(table(call, 'projects').filter(({ id }) => memberOf(call, id)))),
  ),
  get(
    '/api/projects/{id}',
    signedIn((call) => (memberOf(call, call.params.id) ? shown(byId(call, 'projects', call.params.id)) : MISSING)),
  ),
  get(
    '/api/projects/{id}/tasks',
    signedIn((call) =>
      memberOf(call, call.params.id)
        ? json(
            table(call, 'tasks').filter(
              ({ project_id, user }) => String(project_id) === call.params.id && user === call.user.id,
            ),
          )
        : MISSING,
    ),
  ),
  get('/api/tasks', ofUser('tasks')),
  get(
    '/api/tasks/{id}',
    signedIn((call) => {
      const row = byId(call, 'tasks', call.params.id)
      return row !== undefined && memberOf(call, row.project_id) ? json(row) : MISSING
    }),
  ),
  get('/api/tickets', ofUser('tickets')),
  get('/api/tickets/{id}', one('tickets', mine)),
  get(
    '/api/tickets/{id}/history',
    signedIn((call) => shown(byId(call, 'tickets', call.params.id)?.history)),
  ),
  get('/api/tickets/feed', (call) =>
    json(table(call, 'tickets').map(({ id, subject, history }) => ({ id, subject, history }))),
  ),
  {
    method: 'PATCH',
    path: '/api/tickets/{id}',
    run: signedIn((call) => changed(byId(call, 'tickets', call.params.id), call.body, 'subject')),
  },
  {
    method: 'PATCH',
    path: '/api/quotes/{id}',
    run: signedIn((call) => {
      const row = byId(call, 'quotes', call.params.id)
      return row !== undefined && mine(row, call.user) ? changed(row, call.body, 'title') : FORBIDDEN
    }),
  },
  // for everybody
  get('/api/products', (call) => json(table(call, 'products'))),
  get('/api/products/{id}', (call) => shown(byId(call, 'products', call.params.id))),
  get('/api/articles', (call) => json(table(call, 'articles'))),
  get('/api/articles/{id}', (call) => shown(byId(call, 'articles', call.params.id))),
  get('/api/team', ({ data }) =>
    json(data.users.filter(({ role }) => role === 'admin').map(({ name, email }) => ({ name, email }))),
  ),
  get('/api/status', () => json({ status: 'ok', version: '4.2.0', uptime: 123456 })),
  get('/api/announcements', ofTenant('announcements')),
  // the company
  get(
    '/api/organisation',
    signedIn(({ user }) =>
      json({
        name: user.tenant === 1 ? 'Northwind Trading Limited' : 'Southgate Holding Limited',
        phone: `+49 30 9000 ${user.tenant}`,
        street: `${user.tenant} Market Square`,
      }),
    ),
  ),
  get(
    '/api/organisation/billing',
    adminOnly(({ user }) => json({ plan: 'team', iban: `DE89 3704 0044 0532 0130 0${user.tenant}` })),
  ),
  get(
    '/api/organisation/keys',
    adminOnly(({ user }) => json([{ name: 'deploy', api_key: `key-${user.tenant}-77215` }])),
  ),
  get(
    '/api/admin/settings',
    adminOnly(() => json({ registration: 'closed', domain: 'northwind.example' })),
  ),
  get(
    '/api/admin/mail',
    adminOnly(() => json({ server: 'smtp.northwind.example', from: 'billing@northwind.example' })),
  ),
  get(
    '/api/admin/members',
    signedIn(({ user, data }) =>
      json(
        data.users
          .filter(({ tenant }) => tenant === user.tenant)
          .map(({ id, email }) => ({ id, email, phone: `+49 170 44${id}0${id}5`, last_ip: `10.0.${id}.9` })),
      ),
    ),
  ),
  get(
    '/api/admin/audit',
    signedIn((call) =>
      json(
        call.data.users
          .filter(({ tenant }) => tenant === call.user.tenant)
          .map(({ name, id }) => ({ at: id, entry: `${name} signed in from terminal ${id}77` })),
      ),
    ),
  ),
  get('/api/admin/invitations', ofTenant('invitations')),
  {
    method: 'POST',
    path: '/api/admin/announcements',
    run: signedIn((call) => {
      table(call, 'announcements').push({
        id: table(call, 'announcements').length + 1,
        tenant: call.user.tenant,
        user: call.user.id,
        title: String(call.body.title),
        text: String(call.body.text),
      })
      return { status: 201, json: { ok: true } }
    }),
  },
  get(
    '/api/admin/announcements',
    adminOnly((call) => json(table(call, 'announcements').filter(({ tenant }) => tenant === call.user.tenant))),
  ),
  get(
    '/api/internal/payroll',
    signedIn((call) =>
      json(
        table(call, 'payslips')
          .filter(({ tenant }) => tenant === call.user.tenant)
          .map(({ employee, salary }) => ({ employee, salary, paid: `run ${salary}` })),
      ),
    ),
  ),
]

/** A link that was handed out. */
const SHARE = 'q7Jx2mPz9RkV4tLw8NbY3cFd'

const changed = (row: (Owned & { [name: string]: unknown }) | undefined, body: Call['body'], name: string): Result => {
  if (row === undefined) return MISSING
  if (typeof body[name] === 'string') row[name] = body[name]
  return json({ ok: true })
}
