// Injected bug: a stopping server closes connections with pending replies.
import { Server } from 'node:http'

Server.prototype.closeIdleConnections = function () {
  this.closeAllConnections()
}
