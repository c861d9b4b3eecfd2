import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { besideUnread } from '../insertion-points/unread.ts'
import { INTROSPECTION_QUERY, MISSPELT_QUERY } from './graphql.ts'

const introspection: FindingDefinition = {
  id: 'crawl/graphql-introspection',
  title: 'GraphQL introspection: the interface describes its whole schema to anybody',
  severity: 'info',
  cwe: 200,
  group: 'disclosure',
  why: 'Every type, query and mutation can be listed, those meant for the own application alone included. That spares an attacker the guessing; it is no flaw by itself where the schema is public on purpose.',
  remediation:
    'Switch introspection off in production: Apollo Server `introspection: false`, graphql-java `NoIntrospectionGraphqlFieldVisibility`, Graphene `DisableIntrospection`. Authorise every field on the server in any case.',
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html'],
}

const suggestions: FindingDefinition = {
  ...introspection,
  id: 'crawl/graphql-suggestions',
  title: 'GraphQL field suggestions although introspection is off',
  why: 'Each wrong guess is answered with right names, so the schema can be rebuilt word by word.',
  remediation:
    'Switch suggestions off: Apollo Server `hideSchemaDetailsFromClientErrors: true`, GraphQL Yoga and Envelop with the `@escape.tech/graphql-armor` block-field-suggestions plugin.',
}

export const graphqlIntrospection: Check<'crawl'> = {
  findings: [introspection, suggestions],
  judge: (facts) => {
    const { graphql } = facts
    if (graphql.length === 0)
      return besideUnread({ state: 'not_applicable', reason: 'no GraphQL interface was found' }, facts)
    return graphql.flatMap(
      ({ url, introspection: open, suggestion, types, queries, mutations, excerpt }): Finding[] => {
        const definition = open ? introspection : suggestions
        if (!open && suggestion === null) return []
        const query = open ? INTROSPECTION_QUERY : MISSPELT_QUERY
        return [
          {
            definition,
            confidence: 'confirmed',
            at: { url, method: 'POST' },
            subject: new URL(url).pathname,
            detail: open
              ? `${types} types, ${queries.length} queries and ${mutations.length} mutations are listed.`
              : `A misspelt field is answered with: ${suggestion}`,
            proof: {
              excerpt,
              mark: !open && suggestion !== null && excerpt.includes(suggestion) ? suggestion : null,
              replay: `curl -s '${url}' -H 'Content-Type: application/json' --data '${query}'`,
            },
          },
        ]
      },
    )
  },
}
