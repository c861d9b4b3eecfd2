import { describe, expect, it } from 'vitest'
import { readExports } from './exports.ts'

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const text = (value: string): Buffer => {
  const padding = (4 - (value.length % 4)) % 4
  return Buffer.concat([u32(value.length), Buffer.from(value), Buffer.alloc(padding)])
}
const entry = (folder: string, ...groups: readonly string[]): Buffer =>
  Buffer.concat([u32(1), text(folder), ...groups.flatMap((group) => [u32(1), text(group)]), u32(0)])
const accepted = [0, 0x5e0d0002, 1, 0, 0, 0, 0].map(u32)
const reply = (...entries: readonly Buffer[]): Buffer => Buffer.concat([...accepted, ...entries, u32(0)])

describe('the exports of a mount daemon', () => {
  it('with hosts, networks and everybody', () => {
    expect(readExports(reply(entry('/srv', '10.0.0.0/8', 'a.test'), entry('/pub', '*'), entry('/all')))).toEqual([
      { folder: '/srv', to: ['10.0.0.0/8', 'a.test'] },
      { folder: '/pub', to: [] },
      { folder: '/all', to: [] },
    ])
  })

  it('none', () => expect(readExports(reply())).toEqual([]))

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['another call', Buffer.concat([0, 7, 1, 0, 0, 0, 0].map(u32))],
    ['a call that was refused', Buffer.concat([0, 0x5e0d0002, 1, 1, 0, 0, 0].map(u32))],
    ['a program that is not there', Buffer.concat([0, 0x5e0d0002, 1, 0, 0, 0, 1].map(u32))],
  ])('no answer: %s', (_name, octets) => expect(readExports(octets)).toBeNull())

  it('a list that is cut, and names that are too long, end it', () => {
    expect(readExports(reply(entry('/srv')).subarray(0, 40))).toEqual([{ folder: '/srv', to: [] }])
    expect(readExports(Buffer.concat([...accepted, u32(1), u32(0xffff_ffff)]))).toEqual([])
  })
})
