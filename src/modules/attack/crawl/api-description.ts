import type { Check, FindingDefinition } from '../../module.ts'

const described: FindingDefinition = {
  id: 'crawl/api-description',
  title: 'API description public: the whole programming interface is described',
  severity: 'info',
  cwe: 200,
  group: 'disclosure',
  why: 'Every operation with its parameters can be read. That is right for a public interface; operations for the own staff and applications should not be listed with it.',
  remediation:
    'Publish only what strangers may call, and serve the rest of the description behind the login or not at all in production (Springdoc `springdoc.api-docs.enabled=false`, Swashbuckle: `UseSwagger` in development only, FastAPI `openapi_url=None`).',
  references: ['https://owasp.org/API-Security/editions/2023/en/0xa9-improper-inventory-management/'],
}

export const apiDescription: Check<'crawl'> = {
  findings: [described],
  judge: ({ apis }) =>
    apis.map(({ url, kind, title, operations, excerpt }) => ({
      definition: described,
      confidence: 'confirmed',
      at: { url, method: 'GET' },
      subject: new URL(url).pathname,
      detail: `${kind}${title === '' ? '' : ` “${title}”`} with ${operations} operations.`,
      proof: { excerpt, mark: null, replay: `curl -s '${url}'` },
    })),
}
