/** An ordinary answer, of the page that forms stand on. */
import type { HttpExchange } from '../../../../egress/door/egress.ts'

export const page = (body: string, url = 'https://shop.test/things'): HttpExchange => ({
  request: { method: 'GET', url, headers: [], body: null },
  ...{ address: '192.0.2.1', port: 443, httpVersion: '1.1', status: 200, statusText: '' },
  ...{ headers: [['Content-Type', 'text/html']], body: Buffer.from(body), truncated: false, certificateError: null },
  timing: { connect: 0, firstByte: 0, total: 0 },
})
