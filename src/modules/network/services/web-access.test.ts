import { describe, expect, it } from 'vitest'
import { SERVICES } from '../../../knowledge/services/services.ts'
import { accessFor, proofOf, webAccess } from './web-access.ts'

/** What an open one answers, as its documentation shows it. */
const SAMPLES: Readonly<Record<string, string>> = {
  actuator: '{"_links":{"self":{"href":"http://a/actuator"},"env":{"href":"http://a/actuator/env"}}}',
  airflow: '{"dags":[],"total_entries":0}',
  cadvisor: '{"num_cores":4,"memory_capacity":8000000}',
  clickhouse: '1\n',
  consul: '{"Config":{"Datacenter":"dc1"},"Member":{"Name":"a"}}',
  couchdb: '["_replicator","orders"]',
  docker: '{"Platform":{"Name":"x"},"ApiVersion":"1.47","MinAPIVersion":"1.24"}',
  'docker-registry': '{"repositories":["shop"]}',
  elasticsearch: '[{"index":"orders"}]',
  etcd: '{"header":{"cluster_id":"14841639068965178418"},"count":"3"}',
  exporter: '# HELP go_goroutines Number of goroutines.\n# TYPE go_goroutines gauge\ngo_goroutines 8\n',
  flink: '{"taskmanagers":1,"slots-total":4,"flink-version":"1.19.0"}',
  grafana: '[{"id":1,"title":"Load"}]',
  hadoop: '{"clusterInfo":{"id":1,"state":"STARTED"}}',
  haproxy: '<h1>Statistics Report for HAProxy</h1><table class="tbl" width="100%">',
  influxdb: '{"results":[{"series":[{"name":"databases","columns":["name"],"values":[["a"]]}]}]}',
  jenkins: '{"_class":"hudson.model.Hudson","mode":"NORMAL","useSecurity":false}',
  jupyter: '[]',
  kibana: '{"name":"k","version":{"number":"8.1.0"},"status":{"overall":{"level":"available"}}}',
  kubelet: '{"kind":"PodList","apiVersion":"v1","items":[]}',
  kubernetes: '{"kind": "NamespaceList", "apiVersion": "v1", "items": []}',
  neo4j: '{"neo4j_version":"3.5.0","node":"http://a/db/data/node"}',
  netdata: '{"version":"v1.40","uid":"a"}',
  'node-inspector': '{"Browser":"node.js/v24","Protocol-Version":"1.1"}',
  nomad: '[{"ID":"web"}]',
  prometheus: '{"status":"success","data":{"version":"2.5","goVersion":"go1.22"}}',
  ray: '{"version":"4","ray_version":"2.9.0"}',
  selenium: '{"value":{"ready":true,"message":"Selenium Grid ready.","nodes":[]}}',
  solr: '{"responseHeader":{"status":0},"status":{}}',
  spark: '{"url":"spark://a:7077","workers":[],"aliveworkers":0}',
  zipkin: '["frontend"]',
}

/** What others answer at the same path. */
const DECOYS = [
  '<!doctype html><html><body>[not] {"found"}</body></html>',
  ...['not found', '[Error] no such page [404]', 'null', '0', '"x"', '', '{"error":"unauthorized"}', '{"status":401}'],
]
const CUT = (body: string): string => body.slice(0, -1)

describe('interfaces that answer strangers', () => {
  it('have a sample each, and a service of the table or none', () => {
    expect(
      webAccess()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(Object.keys(SAMPLES).toSorted())
    const known = new Set(SERVICES.map(({ id }) => id))
    expect(webAccess().filter(({ service }) => !known.has(service))).toEqual([])
  })

  it.each(webAccess().map((row) => [row.id, row] as const))('%s: is proven by its answer alone', (id, row) => {
    const sample = SAMPLES[id] ?? ''
    const mark = proofOf(row, 200, Buffer.from(sample))
    expect(mark).not.toBe('')
    expect(sample).toContain(mark)
    for (const status of [401, 403, 404]) expect(proofOf(row, status, Buffer.from(sample))).toBeNull()
    for (const decoy of DECOYS) expect(proofOf(row, 200, Buffer.from(decoy)), decoy).toBeNull()
    if (/"shape/.test(JSON.stringify(row.operators))) expect(proofOf(row, 200, Buffer.from(CUT(sample)))).toBeNull()
  })

  it.each([
    ['its own port', 9104, '<h1>MySQL exporter</h1>', ['exporter']],
    ['a port of many, where the front page says nothing', 8080, 'It works', ['exporter']],
    ['a port of many, where the front page tells', 8080, '<title>cAdvisor - /</title>', ['cadvisor', 'exporter']],
    ['any port, where the front page tells', 12_345, '<title>Grafana</title>', ['grafana']],
    ['its own port behind another page', 9200, '{"error":"unauthorized"}', ['elasticsearch']],
    ['a port of nobody', 12_345, 'It works', []],
  ])('asked on %s', (_name, port, front, expected) =>
    expect(accessFor(port, front).map(({ id }) => id)).toEqual(expected),
  )
})
