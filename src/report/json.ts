import type { FindingsFile } from '../contract/findings-file.ts'
import { canonical } from './canonical.ts'

/**
 * findings.json: valid by the published schema, keys in the schema's order, findings in the report's order. The same
 * result gives the same bytes.
 * @throws as `canonical` does.
 */
export const renderFindingsJson = (file: FindingsFile): string => `${JSON.stringify(canonical(file), null, 2)}\n`
