// Keys and models as classes of the agent: what can be read is read, what would change the user's files is refused.

import { getEnvApiKey } from "../ai/models.mjs";
import { state } from "../host_link.mjs";

export class InMemoryAuthStorageBackend {
  constructor(data = {}) {
    this.data = data;
  }
}

/** Keys that the environment has, and those set while we run. */
export class AuthStorage {
  #keys = new Map();

  static create() { return new AuthStorage(); }
  static inMemory() { return new AuthStorage(); }
  static fromStorage() { return new AuthStorage(); }
  setRuntimeApiKey(provider, key) { this.#keys.set(provider, key); }
  removeRuntimeApiKey(provider) { this.#keys.delete(provider); }
  get(provider) { return this.has(provider) ? { type: "api_key", key: this.#keyOf(provider) } : undefined; }
  has(provider) { return this.#keyOf(provider) !== undefined; }
  hasAuth(provider) { return this.has(provider); }
  list() { return [...this.#keys.keys()]; }
  async getApiKey(provider) { return this.#keyOf(provider); }
  #keyOf(provider) { return this.#keys.get(provider) ?? getEnvApiKey(provider); }
}

export const discoverAuthStorage = async () => AuthStorage.create();

/** Stored credentials belong to the host and are not handed out. */
export const readStoredCredential = () => undefined;

export class ModelRegistry {
  constructor(authStorage = AuthStorage.create()) {
    this.authStorage = authStorage;
  }

  static create(authStorage) { return new ModelRegistry(authStorage); }
  static inMemory(authStorage) { return new ModelRegistry(authStorage); }
  refresh() {}
  getError() { return undefined; }
  getAll() { return [...(state().models ?? [])]; }
  getAvailable() { return this.getAll(); }
  find(provider, id) { return this.getAll().find((model) => model.provider === provider && model.id === id); }
  hasConfiguredAuth(model) { return this.authStorage.has(model.provider); }
  isUsingOAuth() { return false; }
  getProviderDisplayName(provider) { return provider; }
  async getApiKey(model) { return this.authStorage.getApiKey(model.provider); }
  async getApiKeyForProvider(provider) { return this.authStorage.getApiKey(provider); }

  async getApiKeyAndHeaders(model) {
    const apiKey = await this.getApiKey(model);
    return apiKey ? { ok: true, apiKey, headers: model.headers } : { ok: false, error: `No API key found for "${model.provider}"` };
  }
}
