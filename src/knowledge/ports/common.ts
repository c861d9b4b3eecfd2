/**
 * The thousand TCP ports that a default sweep tries. Our own choice, made from public facts: the IANA registry of
 * service names and port numbers, and the documented default ports of the software named beside each row.
 * No list of measured frequencies went into it. A test holds the count and that every service we identify is in it.
 */
import { parsePorts } from './range.ts'

const ROWS: readonly (readonly [ports: string, what: string])[] = [
  [
    '1,9,13,17,19-23,25,37,43,49,53,70,79-85,88,90',
    'small services, FTP, SSH, Telnet, mail, whois, TACACS, DNS, gopher, finger, web, Kerberos',
  ],
  [
    '102,109-111,113,119,123,135,137-139,143,161-164,174,177,179,194',
    'ISO transport, DICOM, POP, RPC, ident, news, MSRPC, NetBIOS, IMAP, SNMP, XDMCP, BGP, IRC, SMUX',
  ],
  [
    '211,264,311,366,389,443-445,464-465,487',
    'QMTP, Z39.50, IMAP 3, Check Point, web administration, ODMR, LDAP, Timbuktu, SLP, HTTPS, SMB, Kerberos',
  ],
  [
    '500,502,512-515,543-544,548,554,563,587,593,623,625,628,631,636,639,646',
    'backup, IKE, Modbus, r-commands, LPD, DB2, AFP, RTSP, NNTPS, submission, RPC over HTTP, IPMI, IPP, LDAPS',
  ],
  [
    '749,783,800,808,830,853,873,880,888,902-903,953,981,989-990,992-995',
    'EPP, AgentX, Kerberos administration, SpamAssassin, NETCONF, DNS over TLS, iSCSI, rsync, VMware, rndc, FTPS, IMAPS, POP3S',
  ],
  [
    '1025-1030,1080,1090,1098-1099,1194,1200,1234,1270,1311,1314,1352',
    'MSRPC, SOCKS, Java RMI, OpenVPN, Nessus, SCOM, OpenManage, ICAP, Notes',
  ],
  [
    '1414-1415,1433-1434,1494,1521-1527,1540,1583,1604,1688',
    'IBM MQ, SQL Server, Citrix, Informix, Oracle, WINS, NetBackup, Perforce, KMS',
  ],
  [
    '1701,1720,1723,1755,1801,1812,1830,1880,1883,1900,1911,1935,1962,1967,2000-2003',
    'L2TP, H.323, PPTP, MSMQ, RADIUS, Node-RED, MQTT, UPnP, Fox, RTMP, Caché, BigBrother, SCCP',
  ],
  [
    '2022,2049,2077,2082-2083,2086-2087,2095-2096,2100,2103,2107,2111,2121,2135,2181',
    'second SSH, NFS, cPanel and WHM, MSMQ, second FTP, APC, ZooKeeper',
  ],
  [
    '2222,2301,2323,2375-2381,2383,2396,2404,2424,2480,2483-2484,2500,2525,2575,2601,2604-2605',
    'second SSH and Telnet, Docker, etcd, OLAP, CVS, IEC 104, OrientDB, Oracle TLS, Akka, HL7, Citrix, Quagga and FRR',
  ],
  [
    '2638,2701,2761,2809,2888,2947,2967,3000-3010,3030,3050,3052,3100,3128-3130',
    'DICT, Sybase, SMPP, CORBA, UPnP, gpsd, Node, Rails and Grafana, Firebird, Loki, Squid',
  ],
  [
    '3200,3260,3268-3269,3283,3299-3300,3306-3310,3333,3389-3390,3478,3493,3551,3632',
    'SAP, iSCSI, global catalogue, Apple remote desktop, MySQL, RDP, STUN, NUT, apcupsd, distcc',
  ],
  [
    '3689-3690,3749,3780,3790,3868,4000-4001,4022,4040,4043,4064,4111,4151',
    'DAAP, Subversion, WS-Discovery, Nexpose, Metasploit, Diameter, Oracle agent, NX, Spark UI, Ice, NSQ',
  ],
  [
    '4160-4161,4190,4200,4222,4243-4244,4317-4318,4321,4343,4369,4433,4440,4443-4445,4500,4505-4506',
    'NSQ, Sieve, Angular, NATS, Cilium, Docker, OpenTelemetry, rwhois, epmd, Rundeck, Selenium, NTS, Salt',
  ],
  [
    '4567-4568,4646-4649,4662,4730,4747,4786,4840,4848,4899,4949,4993,5000-5010',
    'HylaFAX, Galera, Nomad, JBoss, Gearman, Smart Install, OPC UA, GlassFish, Radmin, Munin, registries, Flask, UPnP',
  ],
  [
    '5038,5040,5050-5051,5060-5061,5080,5190,5200-5201,5222-5223,5269,5275,5280-5281',
    'Asterisk, Logstash, Mesos, SIP, Sentinel, iperf, XMPP, CalDAV',
  ],
  [
    '5353,5357,5432-5434,5440,5480,5500,5554-5556,5601-5603',
    'CFEngine, NAT-PMP, LLMNR, WSDAPI, PostgreSQL, VMware appliances, VNC, ADB, Kibana',
  ],
  [
    '5631-5632,5666-5668,5671-5672,5678,5683,5701,5800-5801,5858,5900-5909,5938,5984-5986,5989',
    'pcAnywhere, NRPE, AMQP, n8n, NCPA, Hazelcast, VNC, Node debugger, TeamViewer, CouchDB, WinRM, WBEM',
  ],
  [
    '6000-6009,6080-6084,6100-6101,6123,6129,6346,6379-6381,6443-6446,6502,6514',
    'X11, Spark REST, noVNC, Varnish, Backup Exec, Flink, DameWare, Veeam, Gnutella, Redis, Kubernetes, syslog over TLS',
  ],
  [
    '6556,6600,6650,6665-6669,6697,6715,6789,6868,6881,6888,6969,7000-7010,7046,7070-7072,7077,7080-7081',
    'Checkmk, SANE, MPD, OpenFlow, Pulsar, IRC, Ceph, BitTorrent, Cassandra, AFS, WebLogic, RealServer, Spark',
  ],
  [
    '7100,7170,7180,7183,7199-7200,7210,7233,7272,7288,7373,7400,7443,7473-7474,7496,7547-7548,7574,7601,7626,7634,7657',
    'X fonts, Cloudera, JMX, Temporal, Serf, Neo4j, CWMP, Solr, hddtemp, I2P',
  ],
  [
    '7676,7680,7687,7700,7771,7777-7778,7780,7788,7800,7848,7860,7880,7900,7946,7979,7990,7999-8012,8020-8023,8030-8031,8040,8042-8050,8060,8065-8091,8098,8100',
    'message brokers, Bolt, Meilisearch, game servers, Nacos, Gradio, LiveKit, Swarm, Bitbucket, web servers',
  ],
  [
    '8108,8111-8112,8118,8123,8125-8126,8139-8141,8153,8161,8172,8180-8184,8188-8194,8200-8201,8222,8243,8265,8280-8281',
    'Typesense, TeamCity, Deluge, Privoxy, ClickHouse, statsd, Puppet, GoCD, ActiveMQ, IIS management, Vault, NATS, Ray, WSO2',
  ],
  [
    '8291,8300-8302,8333,8384,8400,8403,8428,8443-8448,8453,8480,8500-8502,8529-8531,8545,8551,8554,8585,8600,8649',
    'RouterOS, Consul, Bitcoin, Syncthing, Commvault, VictoriaMetrics, ArangoDB, WSUS, Ethereum, RTSP, Ganglia',
  ],
  [
    '8651-8652,8686,8728-8729,8761,8765,8786-8789,8800,8834,8843,8860,8873,8880-8891,8899,8983-8984,8988-8990,8998',
    'JMX, RouterOS, Eureka, Dask, Nessus, UniFi, proxies, Jupyter, MQTT over TLS, Solr, Livy',
  ],
  [
    '9000-9012,9042-9044,9050-9051,9060,9070-9071,9080-9094,9100-9110,9113-9115,9121,9125,9142,9160,9187,9200-9203,9216,9229,9256,9290,9292',
    'FastCGI, MinIO, Portainer, Cassandra, Tor, WebSphere, HAProxy, Prometheus and exporters, printers (only connected to), Elasticsearch',
  ],
  [
    '9300-9304,9312,9333,9343,9389-9393,9399,9411,9418-9419,9440,9443,9445,9485,9500,9530,9595,9600,9615,9618',
    'Elasticsearch nodes, Sphinx, SeaweedFS, AD web services, GVM, Zipkin, git, Veeam, ClickHouse TLS, Logstash, HTCondor',
  ],
  [
    '9663,9667,9673,9696,9761,9800,9834,9864-9870,9876,9898,9981-9982,9990-9991,9993,9997-10005,10008-10010,10020,10024-10025',
    'Neutron, HDFS, Tvheadend, WildFly, Splunk, Webmin, Hive, Hadoop, Amavis',
  ],
  [
    '10050-10051,10080-10083,10086,10101,10110,10161,10200,10248-10260,10443,10809,10911,11000,11112,11210-11211,11214,11300,11311',
    'Zabbix, Amanda, SNMP over TLS, kubelet and its neighbours, NBD, RocketMQ, DICOM, Couchbase, memcached, beanstalk, ROS',
  ],
  [
    '11371,11434,12000,12201,12345,13306,13720-13724,13782-13783,14000,14147,14250,14265,14268,15000-15001,15020-15021',
    'key servers, Ollama, Graylog, NetBackup, HttpFS, FileZilla, Jaeger, Istio',
  ],
  [
    '15671-15672,15674-15675,15691-15692,16000,16010,16020,16030,16379,16509,16514,16686,16992-16995,17001,17010,17500,17988',
    'RabbitMQ management, HBase, Redis bus, libvirt, Jaeger, Intel AMT, iLO',
  ],
  [
    '18080-18083,18088,18091-18094,18120,18264,18630,18789,19000-19001,19071,19120,19132,19150,19283,19315,19530,19888,19999-20000',
    'Spark history, EMQX, Couchbase TLS, StreamSets, Milvus, Hadoop history, Netdata, DNP3',
  ],
  [
    '20005,20048,20880,21025,21027,22000,22122,22222,23472,23646,24007,24224,24231,24442,24554,24800,25565,25672,25826,26257,26379',
    'Dubbo, Syncthing, FastDFS, GlusterFS, Fluentd, Minecraft, RabbitMQ clustering, collectd, CockroachDB, Sentinel',
  ],
  [
    '26656-26657,27000-27002,27015-27020,27042,27080,27374,27500,28015,28017,28080,29015,29418,30000-30005,30303,30718,31337,31416',
    'Tendermint, FlexLM, Steam, MongoDB, RethinkDB, Gerrit, Kubernetes node ports, Ethereum, Lantronix, BOINC',
  ],
  [
    '32400,32469,32764-32771,32773,33060,33848,34443,34963,35357,35621,37215,37777,38080,38292,40000,41795,42000,44818,46336',
    'Plex, router back doors, Sun RPC, MySQL X, Keystone, cameras, Crestron, EtherNet/IP',
  ],
  [
    '47001,47808,48898,49152-49161,49666-49670,50000-50003,50010,50020,50051,50060,50070,50075,50090,50095,50100,51106,51200',
    'WinRM, BACnet, first dynamic ports, DB2 and SAP, HDFS, gRPC',
  ],
  [
    '51413,52869,54321,54328,55442-55443,55553,55555,56000,57000,58080,59777,60000,60010,60020,60030,60177,61208,61613-61614',
    'BitTorrent, RealTek UPnP, Metasploit, HBase, Glances, STOMP',
  ],
  ['61616,61680,62078,62893,63790,64738,64999-65000,65389,65535', 'OpenWire, AMQP, iPhone sync, Mumble, last ports'],
  [
    '7,24,26,104,523,601,860,1666,2112,2182,2401,3301,3388,4150,4194,5298,5673,6984,8032,8793,9222,9306,10011,11212,30015,33306',
    'further ports of the services that are told by name',
  ],
]

let parsed: readonly number[] | null = null

/** Ascending. */
export const commonPorts = (): readonly number[] => {
  parsed ??= parsePorts(ROWS.map(([ports]) => ports).join(','))
  return parsed
}
