declare module 'virtual:endpoints' {
  import type { ClientRow } from '../../src/contract/client-core.ts'
  import type { Endpoints } from '../../src/contract/endpoints.ts'
  export const ROWS: Readonly<Record<keyof Endpoints, ClientRow>>
}
