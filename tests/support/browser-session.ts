/** A browser that is signed in, as far as HTTP can tell: a cookie, and the token that a page of ours has read. */
import type { LightMyRequestResponse } from 'fastify'
import type { TestApi } from './api.ts'

export interface Browser {
  readonly cookie: string
  readonly token: string
  readonly send: (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
    token?: string | null,
  ) => Promise<LightMyRequestResponse>
}

export const signedIn = async (api: Pick<TestApi, 'send'>, secret: string): Promise<Browser> => {
  const response = await api.send('POST', '/v1/session', { secret: null, body: { api_key: secret } })
  if (response.statusCode !== 200) throw new Error(`not signed in: ${response.body}`)
  const [cookie = ''] = String(response.headers['set-cookie']).split(';')
  const own: string = response.json().csrf_token
  return {
    cookie,
    token: own,
    send: (method, url, body, token = own) =>
      api.send(method, url, {
        secret: null,
        ...(body === undefined ? {} : { body }),
        headers: { cookie, ...(token === null ? {} : { 'x-csrf-token': token }) },
      }),
  }
}
