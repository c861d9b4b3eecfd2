import type { Erasure } from './erasure.ts'
import type { ScanAddresses } from './service.ts'

export const erasing: Erasure = {
  id: '0f4c8a2e-5b7d-4e19-9a63-2d8f1c6b7e50',
  organisation_id: '7b0f2f5e-6c1d-4b0a-8f5e-3c9a1d2e4f60',
  organisation: 'Acme Ltd',
  domain: 'shop.example.com',
  asked_by: 'A. Ruiz',
  asked_at: '2026-11-20T09:00:14.000Z',
  counts: { domains: 1, runs: 14, findings: 322, problems: 41, files: 190, bytes: 48_211_930 },
  ended_at: null,
  receipt: null,
}

export const erasure: Erasure = {
  ...erasing,
  ended_at: '2026-11-20T09:00:21.000Z',
  receipt: '{\n  "payloadType": "application/vnd.in-toto+json",\n  "payload": "…",\n  "signatures": []\n}\n',
}

export const scanAddresses: ScanAddresses = {
  addresses: ['192.0.2.16/28', '2001:db8:5::/64'],
  header: 'Sonde-Run',
  verify: 'https://sonde.example.com/v1/verify-traffic?sonde_run={value}',
}
