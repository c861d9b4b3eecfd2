/** Whether open ports mean anything on this host. */

import { DECOYS_OPEN } from './decoys.ts'
import type { PortsFacts } from './facts.ts'

/** Ports that nobody uses accept connections. */
export const acceptsEverything = ({ decoys }: Pick<PortsFacts, 'decoys'>): boolean => decoys.open >= DECOYS_OPEN
