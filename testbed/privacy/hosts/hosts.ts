/** The third parties of the testbed: what a known vendor's host serves, written by hand after what its requests look like. */
import type { Serve } from '../page.ts'
import { EMBEDS } from './embeds.ts'
import { FONTS } from './fonts.ts'
import { MEASURING } from './measuring.ts'
import { PIXELS } from './pixels.ts'
import { RECORDERS } from './recorders.ts'
import { STRANGERS } from './strangers.ts'
import { TOOLS } from './tools.ts'

/** Host → path → answer; `*` answers every path that is not named. */
export type Hosts = Readonly<Record<string, Readonly<Record<string, Serve>>>>

export const THIRD_PARTIES: Hosts = {
  ...MEASURING,
  ...PIXELS,
  ...RECORDERS,
  ...FONTS,
  ...EMBEDS,
  ...TOOLS,
  ...STRANGERS,
}
