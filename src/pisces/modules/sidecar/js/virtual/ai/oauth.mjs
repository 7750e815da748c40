// Logging in to services: a register of the ways that extensions bring. The built-in ways belong to the host.

const ways = new Map();

export const registerOAuthProvider = (way) => void ways.set(way.id, way);
export const unregisterOAuthProvider = (id) => void ways.delete(id);
export const resetOAuthProviders = () => ways.clear();
export const getOAuthProvider = (id) => ways.get(id);
export const getOAuthProviders = () => [...ways.values()];
export const getOAuthProviderInfoList = () => getOAuthProviders().map(({ id, name }) => ({ id, name, available: true }));

export async function refreshOAuthToken(id, credentials) {
  const way = ways.get(id);
  if (!way) throw new Error(`Unknown OAuth provider: ${id}`);
  return way.refreshToken(credentials);
}

export async function getOAuthApiKey(id, stored) {
  const way = ways.get(id);
  if (!way) throw new Error(`Unknown OAuth provider: ${id}`);
  if (!stored[id]) return null;
  const newCredentials = Date.now() >= stored[id].expires ? await way.refreshToken(stored[id]) : stored[id];
  return { newCredentials, apiKey: way.getApiKey(newCredentials) };
}

export function normalizeDomain(text) {
  try {
    return new URL(text.includes("://") ? text : `https://${text}`).hostname || null;
  } catch {
    return null; // not an address at all
  }
}
