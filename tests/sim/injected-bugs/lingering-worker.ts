// Injected fault: something keeps the event loop of every worker alive.
import cluster from 'node:cluster'

if (cluster.isWorker && process.argv[1]?.endsWith('dagsverk.js')) setInterval(() => {}, 1000)
