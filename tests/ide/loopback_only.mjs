// Preloaded into another program of Node: it may talk to this machine and to nobody else.
import net from 'node:net';

const here = new Set([undefined, null, '', 'localhost', '127.0.0.1', '::1']);
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...given) {
  const first = Array.isArray(given[0]) ? given[0][0] : given[0];
  const host = typeof first === 'object' ? first.host : typeof given[1] === 'string' ? given[1] : undefined;
  if (here.has(host)) return connect.apply(this, given);
  process.nextTick(() => this.destroy(new Error(`not on this machine: ${host}`)));
  return this;
};
