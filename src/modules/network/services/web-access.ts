/**
 * Interfaces over HTTP that answer strangers. Each row is one GET whose answer, by its grammar and not by its status
 * alone, shows what is open. Nothing is created, run or changed, and no stored value is read.
 */
import type { AccessKind } from '../../../protocols/services/probe.ts'

export interface WebAccess {
  /** Service id this proves. */
  readonly service: string
  readonly ports: readonly number[]
  /** Also asked on any port whose front page looks like this. */
  readonly front?: RegExp
  readonly path: string
  /** Sent by POST where the interface reads only so. */
  readonly post?: string
  /** The decisive piece of a JSON or text body, null where it proves nothing. */
  readonly proves: (body: string) => string | null
  readonly kind: AccessKind
  readonly says: string
}

const has =
  (...patterns: readonly RegExp[]) =>
  (body: string): string | null =>
    patterns.every((pattern) => pattern.test(body)) ? (patterns[0]?.exec(body)?.[0] ?? null) : null

/** A JSON object with all these members, or an array of such objects. */
const json =
  (...members: readonly string[]) =>
  (body: string): string | null => {
    try {
      const value: unknown = JSON.parse(body)
      const first: unknown = Array.isArray(value) ? value[0] : value
      if (typeof first !== 'object' || first === null) return null
      return members.every((member) => member in first) ? `"${members[0]}"` : null
    } catch {
      return null // Not JSON: another interface, and no proof.
    }
  }

export const WEB_ACCESS: readonly WebAccess[] = [
  {
    service: 'elasticsearch',
    ports: [9200, 9201],
    front: /You Know, for Search|"distribution"\s*:\s*"opensearch"/,
    path: '/_cat/indices?format=json&h=index&s=index',
    proves: (body) => (/^\s*\[/.test(body) && isArray(body) ? '[' : null),
    kind: 'datastore',
    says: 'the list of indices was given without a login',
  },
  {
    service: 'couchdb',
    ports: [5984, 6984],
    front: /"couchdb"\s*:\s*"Welcome"/,
    path: '/_all_dbs',
    proves: (body) => (isArray(body) ? '[' : null),
    kind: 'datastore',
    says: 'the list of databases was given without a login',
  },
  {
    service: 'clickhouse',
    ports: [8123, 8443],
    path: '/?query=SELECT%201',
    proves: (body) => (/^1\s*$/.test(body) ? '1' : null),
    kind: 'datastore',
    says: 'SELECT 1 was run without a password',
  },
  {
    service: 'influxdb',
    ports: [8086],
    path: '/query?q=SHOW%20DATABASES',
    proves: has(/"name":"databases"/, /"columns":\["name"\]/),
    kind: 'datastore',
    says: 'SHOW DATABASES was answered without a login',
  },
  {
    service: 'neo4j',
    ports: [7474, 7473],
    path: '/db/data/',
    proves: json('neo4j_version', 'node'),
    kind: 'datastore',
    says: 'the data interface was given without a login',
  },
  {
    service: 'etcd',
    ports: [2379, 4001],
    path: '/v3/kv/range',
    // All keys, counted only: neither names nor values are sent.
    post: '{"key":"AA==","range_end":"AA==","count_only":true}',
    proves: has(/"header"\s*:\s*\{"cluster_id"/),
    kind: 'datastore',
    says: 'the number of keys was given without a login',
  },
  {
    service: 'solr',
    ports: [8983],
    front: /<title>Solr Admin/i,
    path: '/solr/admin/cores?action=STATUS&indexInfo=false&wt=json',
    proves: json('responseHeader', 'status'),
    kind: 'datastore',
    says: 'the cores were listed without a login',
  },
  {
    service: 'docker',
    ports: [2375, 2376],
    path: '/version',
    proves: json('ApiVersion', 'MinAPIVersion'),
    kind: 'takeover',
    says: 'the version of the Docker engine was given without a client certificate',
  },
  {
    service: 'kubelet',
    ports: [10250, 10255],
    path: '/pods',
    proves: has(/"kind"\s*:\s*"PodList"/),
    kind: 'takeover',
    says: 'the kubelet listed its pods without a login',
  },
  {
    service: 'kubernetes',
    ports: [6443, 8001, 8080, 8443, 443],
    front: /"kind"\s*:\s*"Status"[\s\S]{0,300}"apiVersion"\s*:\s*"v1"|"paths"\s*:\s*\[\s*"\/\.well-known/,
    path: '/api/v1/namespaces?limit=1',
    proves: has(/"kind"\s*:\s*"NamespaceList"/),
    kind: 'control',
    says: 'the API listed namespaces to the anonymous user',
  },
  {
    service: 'consul',
    ports: [8500, 8501],
    front: /Consul by HashiCorp/,
    path: '/v1/agent/self',
    proves: json('Config', 'Member'),
    kind: 'control',
    says: 'the agent gave its configuration without a token',
  },
  {
    service: 'nomad',
    ports: [4646],
    path: '/v1/jobs',
    proves: (body) => (isArray(body) && !/<html/i.test(body) ? '[' : null),
    kind: 'control',
    says: 'the jobs were listed without a token',
  },
  {
    service: 'jenkins',
    ports: [8080, 8081, 8443, 50000],
    front: /Dashboard \[Jenkins\]/,
    path: '/api/json?tree=mode,useSecurity',
    proves: has(/"useSecurity"\s*:\s*false/),
    kind: 'takeover',
    says: 'Jenkins says that its security is switched off',
  },
  {
    service: 'jupyter',
    ports: [8888, 8889, 8890],
    front: /<title>(?:Jupyter|Home Page - Select|JupyterLab)/i,
    path: '/api/sessions',
    proves: (body) => (isArray(body) ? '[' : null),
    kind: 'takeover',
    says: 'the sessions were listed without a token',
  },
  {
    service: 'hadoop',
    ports: [8088],
    front: /<title>[^<]{0,80}Applications|hadoop/i,
    path: '/ws/v1/cluster/info',
    proves: json('clusterInfo'),
    kind: 'control',
    says: 'YARN gave its cluster without a login',
  },
  {
    service: 'spark',
    ports: [8080, 8081, 4040, 18080],
    front: /<title>(?:Spark Master|Spark Worker|History Server)/,
    path: '/json/',
    proves: has(/"(?:workers|activeapps|coresused)"\s*:/),
    kind: 'control',
    says: 'the Spark master gave its state without a login',
  },
  {
    service: 'flink',
    ports: [8081],
    front: /Apache Flink Web Dashboard/,
    path: '/overview',
    proves: json('taskmanagers', 'flink-version'),
    kind: 'control',
    says: 'the overview was given without a login, and jobs can be uploaded there',
  },
  {
    service: 'ray',
    ports: [8265],
    front: /<title>Ray Dashboard/,
    path: '/api/version',
    proves: json('ray_version'),
    kind: 'takeover',
    says: 'the job interface of Ray answered without a login',
  },
  {
    service: 'airflow',
    ports: [8080, 8793],
    front: /Airflow - /,
    path: '/api/v1/dags?limit=1',
    proves: json('dags', 'total_entries'),
    kind: 'control',
    says: 'the workflows were listed without a login',
  },
  {
    service: 'selenium',
    ports: [4444],
    path: '/status',
    proves: has(/"ready"\s*:\s*(?:true|false)/, /"(?:message|nodes)"\s*:/),
    kind: 'control',
    says: 'the grid gave its status, and takes sessions from everyone',
  },
  {
    service: 'node-inspector',
    ports: [9229, 5858, 9222],
    path: '/json/version',
    proves: json('Browser', 'Protocol-Version'),
    kind: 'takeover',
    says: 'the debugger’s interface answered',
  },
  {
    service: 'docker-registry',
    ports: [5000, 5001],
    path: '/v2/_catalog?n=1',
    proves: json('repositories'),
    kind: 'listing',
    says: 'the repositories were listed without a login',
  },
  {
    service: 'prometheus',
    ports: [9090],
    path: '/api/v1/status/buildinfo',
    proves: has(/"goVersion"/, /"status"\s*:\s*"success"/),
    kind: 'observability',
    says: 'Prometheus answered without a login',
  },
  {
    service: 'exporter',
    ports: [9091, 9093, 9094, 9104, 9108, 9109, 9110, 9121, 9113, 9114, 9115, 9187, 9216, 9256, 9290, 2112, 8080, 8081],
    path: '/metrics',
    proves: has(/^# HELP \w+ [^\n]+\n# TYPE \w+ (?:counter|gauge|histogram|summary|untyped)/m),
    kind: 'observability',
    says: 'metrics were given without a login',
  },
  {
    service: 'grafana',
    ports: [3000],
    front: /<title>Grafana/,
    path: '/api/search?limit=1',
    proves: (body) => (isArray(body) ? '[' : null),
    kind: 'observability',
    says: 'dashboards were listed to the anonymous user',
  },
  {
    service: 'kibana',
    ports: [5601],
    path: '/api/status',
    proves: has(/"version"\s*:\s*\{\s*"number"/, /"(?:overall|core)"\s*:/),
    kind: 'observability',
    says: 'Kibana gave its status without a login',
  },
  {
    service: 'cadvisor',
    ports: [8080, 4194],
    front: /<title>cAdvisor/,
    path: '/api/v1.3/machine',
    proves: json('num_cores', 'memory_capacity'),
    kind: 'observability',
    says: 'cAdvisor gave the machine’s data without a login',
  },
  {
    service: 'zipkin',
    ports: [9411],
    path: '/api/v2/services',
    proves: (body) => (isArray(body) ? '[' : null),
    kind: 'observability',
    says: 'the traced services were listed without a login',
  },
  {
    service: 'haproxy',
    ports: [8404, 1936],
    front: /Statistics Report for HAProxy/,
    path: '/',
    proves: has(/Statistics Report for HAProxy/, /<table class="tbl"/),
    kind: 'observability',
    says: 'the statistics of HAProxy were shown without a login',
  },
  {
    service: 'netdata',
    ports: [19999],
    path: '/api/v1/info',
    proves: json('version', 'uid'),
    kind: 'observability',
    says: 'Netdata gave its data without a login',
  },
  {
    service: 'actuator',
    ports: [8080, 8081, 8090, 9000],
    front: /Whitelabel Error Page/,
    path: '/actuator',
    proves: has(/"_links"\s*:\s*\{[\s\S]{0,4000}"(?:env|heapdump|beans|configprops|loggers|threaddump)"/),
    kind: 'observability',
    says: 'the actuator lists endpoints beyond health and info',
  },
]

const isArray = (body: string): boolean => {
  try {
    return Array.isArray(JSON.parse(body))
  } catch {
    return false // Not JSON: no proof.
  }
}

/** Rows to try where this front page was served. */
export const accessFor = (port: number, front: string): readonly WebAccess[] =>
  WEB_ACCESS.filter((row) => row.front?.test(front) || (row.ports.includes(port) && row.front === undefined)).concat(
    WEB_ACCESS.filter(
      (row) => row.front !== undefined && !row.front.test(front) && row.ports.includes(port) && !COMMON_WEB.has(port),
    ),
  )

/** Ports that anything may use: there a row needs its front page. */
const COMMON_WEB: ReadonlySet<number> = new Set([80, 443, 3000, 5000, 8000, 8080, 8081, 8443, 8888, 9000])
