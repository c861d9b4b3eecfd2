/** Ids in paths, and what one that names nothing answers. */
import { z } from 'zod'
import { Uuid } from '../run.ts'

export const ScanId = z.strictObject({ id: Uuid.describe('Id of the run') })
export const DomainId = z.strictObject({ id: Uuid.describe('Id of the domain') })
export const SCAN_MISSING = { id: 'scan_not_found' } as const
export const DOMAIN_MISSING = { id: 'domain_not_found' } as const
