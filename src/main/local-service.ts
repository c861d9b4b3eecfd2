/** The service of this machine's data folder, for user commands without settings. */
import type { Config } from './config.ts'
import { connectControl } from './control-socket.ts'
import { readFirstKey } from './first-key.ts'

export const localService = async (config: Config): Promise<{ url: string; apiKey: string } | null> => {
  const control = await connectControl(config.dataDir)
  const first = readFirstKey(config.dataDir)
  if (control === null || first === null) return null
  const { base_url } = await control.call('service', {})
  return base_url === null ? null : { url: base_url, apiKey: first.api_key }
}
