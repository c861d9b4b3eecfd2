import manifest from '../../package.json' with { type: 'json' }

export const product = { name: 'Sonde', version: manifest.version } as const
