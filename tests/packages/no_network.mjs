// Preloaded into another program of Node: from there nothing leaves the machine.
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

globalThis.fetch = async () => { throw new Error('no network'); };
for (const plain of [http, https]) plain.request = plain.get = () => { throw new Error('no network'); };
syncBuiltinESMExports();
