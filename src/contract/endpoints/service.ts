/** The service itself: documents, health, figures, and whether traffic was ours. */
import { z } from 'zod'
import { endpoint, json, raw } from '../endpoint.ts'
import * as example from '../examples.ts'
import { Health, Readiness, SigningKeys, TrafficVerdict, VerifyTrafficQuery } from '../service.ts'

export const SERVICE = {
  verifyTraffic: endpoint({
    method: 'GET',
    path: '/v1/verify-traffic',
    tag: 'Service',
    scope: null,
    summary: 'Ask whether a request to your site was ours',
    description: 'Public. Every request of a run carries a signed `Sonde-Run` header; give its value here.',
    query: VerifyTrafficQuery,
    responses: {
      200: json('TrafficVerdict', TrafficVerdict, 'Verdict', {
        ours: true,
        run_id: example.ids.run,
        sent_at: '2026-11-20T09:00:14.000Z',
      }),
    },
    problems: [],
  }),
  readSigningKey: endpoint({
    method: 'GET',
    path: '/.well-known/sonde-signing-key',
    tag: 'Service',
    scope: null,
    summary: 'By which key this installation signs reports',
    description:
      'Public. The file of kind `signature` of each version is signed by the key of its time, and `sonde verify` checks it ' +
      'with the fingerprint from here. A key that was replaced is listed for good.',
    query: z.object({}),
    responses: { 200: json('SigningKeys', SigningKeys, 'The present key, and those before', example.signingKeys) },
    problems: [],
  }),
  openapi: endpoint({
    method: 'GET',
    path: '/openapi.json',
    tag: 'Service',
    scope: null,
    summary: 'This document',
    description: 'The OpenAPI 3.1 description of this interface.',
    query: z.object({}),
    responses: { 200: raw('OpenAPI 3.1', ['application/json']) },
    problems: [],
  }),
  healthz: endpoint({
    method: 'GET',
    path: '/healthz',
    tag: 'Service',
    scope: null,
    summary: 'Is the process alive',
    description: 'Touches nothing else.',
    query: z.object({}),
    responses: { 200: json('Health', Health, 'Alive', { status: 'ok', version: '0.1.0' }) },
    problems: [],
  }),
  readyz: endpoint({
    method: 'GET',
    path: '/readyz',
    tag: 'Service',
    scope: null,
    summary: 'Can requests be served',
    description:
      'Asks database and storage, within two seconds; a disk that is nearly full is no storage. What is wrong is said.',
    query: z.object({}),
    responses: {
      200: json('Readiness', Readiness, 'Ready', { status: 'ready', checks: { database: 'ok', storage: 'ok' } }),
    },
    problems: ['unavailable'],
  }),
  metrics: endpoint({
    method: 'GET',
    path: '/metrics',
    tag: 'Service',
    scope: null,
    summary: 'Figures for Prometheus',
    description: 'Prometheus text format.',
    query: z.object({}),
    responses: { 200: raw('Figures', ['text/plain']) },
    problems: [],
  }),
} as const
