/** Sessions of Flask: signed, and kept by the browser alone; and some kept by the server beside. */
import { afterEach, expect, test } from 'vitest'
import type { SignIn } from '../../../contract/identity.ts'
import { ENDS_SESSION } from '../../../safety/deeds.ts'
import { caseAddress } from '../../testing/collecting.ts'
import { field, lookAt, template } from './testing/asked.ts'
import { startProgram } from './testing/program.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const HOW = {
  request: { requests: [{ url: '/login' }, { url: '/login', form: { user: 'ada', password: 'right' } }] },
  proof: { path: '/', text: 'Signed in as ada' },
} as SignIn

/** `kept`: sessions that are over are known by the server. */
const SITE = (kept: boolean): string => `
import secrets, sys
from flask import Flask, request, session, redirect
app = Flask('club'); app.secret_key = secrets.token_bytes(32)
over, city = set(), {'is': 'Bremen'}
@app.before_request
def known():
    if ${kept ? 'True' : 'False'} and session.get('id') in over: session.clear()
    if 'id' not in session: session['id'] = secrets.token_hex(8)
@app.route('/login', methods=['GET', 'POST'])
def login():
    if request.form.get('user') == 'ada' and request.form.get('password') == 'right':
        session.clear(); session['id'] = secrets.token_hex(8); session['user'] = 'ada'
        return redirect('/')
    return '<form method=post action=/login><input name=user><input type=password name=password></form>'
@app.route('/logout')
def logout():
    over.add(session.get('id')); session.clear()
    return redirect('/login')
@app.route('/city', methods=['GET', 'POST'])
def town():
    if session.get('user') != 'ada': return redirect('/login')
    if request.method == 'POST': city['is'] = request.form['city']
    return '<form method=post action=/city><input name=city value="' + city['is'] + '"></form>'
@app.route('/')
def home():
    return 'Signed in as ada <a href=/logout>Sign out</a>' if session.get('user') == 'ada' else redirect('/login')
app.config['SESSION_COOKIE_SAMESITE'] = ${kept ? "'Lax'" : 'None'}
app.run(sys.argv[1], 80)
`

const serve = async (last: number, source: string): Promise<string> => {
  const address = caseAddress(last)
  closing.push((await startProgram(address, 'python3', ['-c', source, address])).end)
  return address
}

const REQUESTS = [
  template('GET', '/logout', [], { harm: ENDS_SESSION, source: 'link' }),
  template('POST', '/city', [field('city', 'Bremen')]),
]

test('kept by the browser alone, a session outlives its sign-out; and its form is sent by other sites', {
  timeout: 90_000,
}, async () => {
  const { found } = await lookAt(await serve(97, SITE(false)), REQUESTS, HOW)
  expect(found).toEqual(['sessions/alive-after-sign-out confirmed', 'sessions/forged-request confirmed'])
})

test('where the server knows what is over, and the cookie stays with its site, none is found', {
  timeout: 90_000,
}, async () => {
  const { found, short } = await lookAt(await serve(98, SITE(true)), REQUESTS, HOW)
  expect(found).toEqual([])
  const less = [
    'sessions/forged-request',
    'sessions/password-change-unverified',
    'sessions/script-inclusion',
    'sessions/trusted-cookie',
    'sessions/websocket-hijacking',
  ]
  expect(Object.keys(short).toSorted()).toEqual(less)
})
