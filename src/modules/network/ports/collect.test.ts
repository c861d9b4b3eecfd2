import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SweepResult, SweepTarget } from '../../../egress/door/egress.ts'
import { caseAddress, collectContext } from '../../testing/collecting.ts'
import { collectPorts } from './collect.ts'
import type { PortsFacts } from './facts.ts'
import { acceptsEverything } from './facts-decoys.ts'

const address = caseAddress(61)
const closers: (() => void)[] = []

const serve = async (port: number, onConnect: (server: Server) => void = () => undefined): Promise<void> => {
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', () => received.push(port))
      .resume()
    onConnect(server)
  })
  server.listen(port, address)
  await once(server, 'listening')
  closers.push(() => server.close())
}

const received: number[] = []

const collect = async (ports: string): Promise<PortsFacts> => {
  const { ctx, close } = collectContext(address, { module: 'ports', settings: { ports }, requests: 400_000 })
  try {
    return await collectPorts(ctx)
  } finally {
    await close()
  }
}

beforeAll(async () => {
  for (const port of [80, 6379, 9100, 45_677]) await serve(port)
  const snmp = createSocket('udp4')
  snmp.on('message', (_message, from) => snmp.send('not snmp', from.port, from.address))
  snmp.bind(161, address)
  await once(snmp, 'listening')
  // As a TFTP server does: the answer comes from a port of its own.
  const tftp = createSocket('udp4')
  const answer = createSocket('udp4')
  tftp.on('message', (_message, from) => answer.send('\0\x05\0\x01File not found\0', from.port, from.address))
  tftp.bind(69, address)
  answer.bind(0, address)
  await Promise.all([once(tftp, 'listening'), once(answer, 'listening')])
  closers.push(
    () => snmp.close(),
    () => tftp.close(),
    () => answer.close(),
  )
})
afterAll(() => {
  for (const close of closers) close()
})

describe('collectPorts', () => {
  it('finds what listens among the common ports, and sends nothing', async () => {
    const facts = await collect('top')
    // The machine itself may listen on all its addresses: what is ours has to be among the open ones.
    expect(facts).toMatchObject({ address, triedCount: 1_000, left: '' })
    expect(facts.open).toEqual(expect.arrayContaining([80, 6379, 9100]))
    expect(facts.closedCount + facts.filteredCount + facts.openCount).toBe(1_000)
    expect(facts.decoys.open).toBe(0)
    expect(received).toEqual([])
  })

  it('tries every port when told to', async () => {
    const facts = await collect('all')
    expect(facts).toMatchObject({ triedCount: 65_535, tried: '1-65535' })
    expect(facts.open).toEqual(expect.arrayContaining([80, 6379, 9100, 45_677]))
  })

  it('takes a list as it is', async () => {
    expect(await collect('45670-45680')).toMatchObject({ open: [45_677], triedCount: 11 })
    await expect(collect('80-')).rejects.toThrow('"80-" is no port')
  })

  it('a port that opens only once is not open', async () => {
    await serve(45_700, (server) => server.close())
    expect(await collect('45700')).toMatchObject({ open: [], unsteady: [45_700] })
  })

  it('a host with 65,535 open ports is seen through, and its list is kept short', async () => {
    const { ctx, close } = collectContext(address, { module: 'ports', settings: { ports: 'all' } })
    const open = ({ ports }: SweepTarget): Promise<SweepResult> =>
      Promise.resolve({
        address,
        open: ports,
        closed: [],
        filtered: [],
        recovered: 0,
        slowedTo: null,
        attempts: ports.length,
      })
    const facts = await collectPorts({
      ...ctx,
      egress: { ...ctx.egress, datagram: () => Promise.resolve([]), sweep: open },
    })
    await close()
    expect(facts).toMatchObject({ openCount: 65_535, decoys: { tried: 12, open: 12 } })
    expect(facts.open).toHaveLength(1_024)
    expect(acceptsEverything(facts)).toBe(true)
  })

  it('tells silent, closed and answered UDP ports apart', async () => {
    const { udp } = await collect('80')
    const states = Object.fromEntries(udp.map(({ id, state }) => [id, state]))
    expect(states).toMatchObject({ snmp: 'other', tftp: 'answered', ntp: 'closed' })
  })
})

it('further addresses of the name are swept too, and those that may not be are passed over', async () => {
  const { ctx, close } = collectContext(address, { module: 'ports', settings: { ports: '80,81' }, requests: 4_000 })
  const second = caseAddress(62)
  const server = createServer((socket) => socket.on('error', () => undefined).resume()).listen(81, second)
  await once(server, 'listening')
  const egress = {
    ...ctx.egress,
    resolve: async () => ({ name: 'shop.test', addresses: [address, '10.9.9.9', second], source: 'dns' as const }),
  }
  const facts = await collectPorts({ ...ctx, egress })
  expect(facts.open).toEqual([80])
  expect(facts.others).toEqual([{ address: second, tried: 2, open: [81], filtered: 0, everything: false }])
  server.close()
  await close()
})
