/** Hosts that no table knows. */
import { EMPTY, GIF, html, json, script } from '../page.ts'
import type { Hosts } from './hosts.ts'

export const STRANGERS: Hosts = {
  /** Sets an identifier of its own on each visit. */
  'px.metricsfarm.test': {
    '/p.gif': (ask) => ({
      ...GIF,
      headers: ask.cookie('mfid')
        ? []
        : [['Set-Cookie', `mfid=${crypto.randomUUID()}; Max-Age=7776000; Path=/; Secure; HttpOnly; SameSite=None`]],
    }),
    '*': EMPTY,
  },
  /** Files that everybody gets alike, no cookie. */
  'cdn.assets-depot.test': { '/lib.js': script('window.depot = true'), '/pic.gif': GIF, '*': EMPTY },
  /** Takes whatever it is sent. */
  'collect.keystream.test': {
    '*': {
      ...EMPTY,
      headers: [
        ['Access-Control-Allow-Origin', '*'],
        ['Access-Control-Allow-Headers', '*'],
      ],
    },
  },
  'frames.partner.test': {
    '/inner': html(
      '<!doctype html><title>Partner</title><script>addEventListener("message", () => undefined)</script>',
    ),
    '*': json({}),
  },
}
