/** What two companies have stored with a small application for invoices, staff and projects. */
import { randomUUID } from 'node:crypto'

export interface User {
  readonly id: number
  readonly tenant: number
  readonly role: 'admin' | 'member' | 'viewer'
  readonly name: string
  readonly email: string
  readonly bio: string
  readonly token: string
}

export type Record_ = Readonly<Record<string, unknown>> & { readonly id: number | string }
export interface Owned extends Record_ {
  readonly tenant: number
  readonly user: number
}
/** A table of the application. */
export type Table = (Owned & { [name: string]: unknown })[]

const PEOPLE = [
  [1, 'admin', 'Alice Thornton'],
  [1, 'member', 'Bob Marley Okafor'],
  [2, 'admin', 'Carol Winterbourne'],
  [2, 'member', 'Dave Lindqvist'],
  [1, 'viewer', 'Vera Castellanos'],
  [2, 'viewer', 'Walt Abernathy'],
] as const

const STREETS = ['Harbour Lane', 'Mill Road', 'Foundry Street', 'Chapel Walk', 'Orchard Close', 'Station Parade']

export interface Data {
  readonly users: readonly User[]
  readonly tables: Readonly<Record<string, Table>>
}

/** A fresh copy; ids of the tables run through both companies, as they come. */
export const makeData = (): Data => {
  const users = PEOPLE.map(([tenant, role, name], index): User => {
    const [first = '', ...rest] = name.split(' ')
    const email = `${first.toLowerCase()}.${(rest.at(-1) ?? '').toLowerCase()}@${tenant === 1 ? 'northwind' : 'southgate'}.example`
    return {
      id: index + 1,
      tenant,
      role,
      name,
      email,
      bio: `${first} likes ${STREETS[index]} in spring`,
      token: `tk_${randomUUID()}`,
    }
  })
  const numbered = (start: number, make: (user: User, n: number) => Record<string, unknown>): Table =>
    [...users, ...users].map((user, n) => ({ id: start + n, tenant: user.tenant, user: user.id, ...make(user, n) }))
  const keyed = (make: (user: User, n: number) => Record<string, unknown>): Table =>
    numbered(0, make).map((row) => ({ ...row, id: randomUUID() }))
  const money = (n: number): string => `${1_000 + n * 137}.${10 + n}`
  const iban = (n: number): string => `DE${10 + n} 5001 0517 5407 ${3240 + n} 31`
  const tables: Record<string, Table> = {
    invoices: numbered(101, (u, n) => ({
      number: `INV-2026-${4100 + n}`,
      recipient: `${u.name} Trading ${n}`,
      total: money(n),
      status: 'open',
    })),
    orders: numbered(1, (u, n) => ({
      reference: `PO ${8810 + n} of ${u.name}`,
      note: `leave with neighbour ${n}`,
      street: `${n + 3} ${STREETS[n % 6]}`,
      status: 'sent',
    })),
    customers: numbered(31, (u, n) => ({
      name: `Customer ${n} of ${u.name}`,
      email: `contact${n}@client-${n}.example`,
      phone: `+49 30 555 ${1000 + n}`,
    })),
    documents: keyed((u, n) => ({
      title: `Agreement ${n} drafted by ${u.name}`,
      body: `Clause ${n}: ${u.name} agrees`,
      shared_with: n === 0 ? [2] : [],
    })),
    payslips: numbered(11, (u, n) => ({
      month: `2026-0${(n % 9) + 1}`,
      salary: money(n * 3),
      iban: iban(n),
      employee: u.name,
    })),
    addresses: numbered(7, (u, n) => ({
      label: `Home of ${u.name} ${n}`,
      street: `${n + 11} ${STREETS[(n + 2) % 6]}`,
      city: 'Bremen 28195',
    })),
    cards: numbered(51, (u, n) => ({
      holder: u.name,
      card_number: `**** **** **** ${7001 + n}`,
      expires: `0${(n % 9) + 1}/29`,
    })),
    messages: numbered(201, (u, n) => ({
      subject: `Draft ${n} from ${u.name}`,
      text: `See you at ${STREETS[n % 6]} number ${n}`,
    })),
    tickets: numbered(301, (u, n) => ({
      subject: `Printer ${n} broken, says ${u.name}`,
      history: [{ at: n, entry: `Call back ${u.name} on +49 421 ${7000 + n}` }],
    })),
    statements: numbered(401, (u, n) => ({ account_no: `ACC-${90_000 + n}`, balance: money(n * 7), owner: u.name })),
    quotes: numbered(501, (u, n) => ({ title: `Quote ${n} for ${u.name}`, total: money(n) })),
    contracts: numbered(601, (u, n) => ({
      title: `Lease ${n} with ${u.name}`,
      email: u.email,
      phone: `+49 89 1200 ${n}`,
      state: 'signed',
    })),
    leads: numbered(1101, (u, n) => ({
      company: `Prospect ${n} met by ${u.name}`,
      phone: `+49 221 880 ${n}0`,
    })),
    carts: numbered(701, (u, n) => ({ items: [`Desk lamp ${n} for ${u.name}`] })),
    reports: numbered(801, (u, n) => ({ title: `Quarter ${n} by ${u.name}`, revenue: money(n * 11) })),
    notes: numbered(901, (u, n) => ({ text: `Remember to ring ${u.name} about ${n}` })),
    projects: users.slice(0, 5).map((u, n) => ({
      id: 21 + n,
      tenant: u.tenant,
      user: u.id,
      name: `Project ${STREETS[n]} ${n}`,
      members: n === 0 ? [1, 2] : [u.id],
    })),
    products: users.map((_u, n) => ({ id: 61 + n, tenant: 0, user: 0, name: `Desk lamp model ${n}`, price: money(n) })),
    articles: users.map((_u, n) => ({
      id: 81 + n,
      tenant: 0,
      user: 0,
      title: `How to print page ${n}`,
      text: `Press button ${n} twice`,
    })),
    announcements: [1, 2].map((tenant) => ({
      id: tenant,
      tenant,
      user: 0,
      title: `Office closed on Friday ${tenant}`,
      text: 'Enjoy the long weekend 2026',
    })),
    invitations: numbered(1001, (u, n) => ({
      email: `new${n}@invited-${u.tenant}.example`,
      code: `join-${5_000 + n}-${u.tenant}`,
    })),
  }
  tables.tasks = users.flatMap((u, n) =>
    [0, 1].map((m) => ({
      id: 41 + 2 * n + m,
      tenant: u.tenant,
      user: u.id,
      title: `Paint wall ${n}${m} said ${u.name}`,
      project_id: n < 2 ? 21 : 22 + n,
    })),
  )
  return { users, tables }
}
