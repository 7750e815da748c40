// Services that offer models: the kinds of service that the host speaks with, and those that extensions put together.

import { stream, streamSimple, throughHost } from "./completion.mjs";

const throughHostAs = (api) => (model, context, options) => throughHost({ ...model, api }, context, options);
const streamsOf = (api) => () => ({ stream: throughHostAs(api), streamSimple: throughHostAs(api) });

export const anthropicMessagesApi = streamsOf("anthropic-messages");
export const openAICompletionsApi = streamsOf("openai-completions");
export const openAIResponsesApi = streamsOf("openai-responses");
export const openAICodexResponsesApi = streamsOf("openai-codex-responses");
export const azureOpenAIResponsesApi = streamsOf("azure-openai-responses");
export const googleGenerativeAIApi = streamsOf("google-generative-ai");
export const googleVertexApi = streamsOf("google-vertex");
export const mistralConversationsApi = streamsOf("mistral-conversations");
export const bedrockConverseStreamApi = streamsOf("bedrock-converse-stream");

export const { stream: streamAnthropic, streamSimple: streamSimpleAnthropic } = anthropicMessagesApi();
export const { stream: streamOpenAICompletions, streamSimple: streamSimpleOpenAICompletions } = openAICompletionsApi();
export const { stream: streamOpenAIResponses, streamSimple: streamSimpleOpenAIResponses } = openAIResponsesApi();
export const { stream: streamOpenAICodexResponses, streamSimple: streamSimpleOpenAICodexResponses } = openAICodexResponsesApi();
export const { stream: streamAzureOpenAIResponses, streamSimple: streamSimpleAzureOpenAIResponses } = azureOpenAIResponsesApi();
export const { stream: streamGoogle, streamSimple: streamSimpleGoogle } = googleGenerativeAIApi();
export const { stream: streamGoogleVertex, streamSimple: streamSimpleGoogleVertex } = googleVertexApi();
export const { stream: streamMistral, streamSimple: streamSimpleMistral } = mistralConversationsApi();

/** A service of an extension: its models, and its own streams for them; one kind of stream, or one for each kind of model. */
export function createProvider({ id, name = id, models = [], api, fetchModels, ...rest }) {
  let known = [...models];
  const own = (model) => (typeof api?.stream === "function" ? api : (api?.[model.api] ?? { stream, streamSimple }));
  const refreshModels = async (context) => {
    known = [...(await fetchModels(context))];
  };
  return {
    id,
    name,
    ...rest,
    getModels: () => known,
    getAllModels: () => known,
    ...(fetchModels ? { refreshModels } : {}),
    stream: (model, context, options) => own(model).stream(model, context, options),
    streamSimple: (model, context, options) => own(model).streamSimple(model, context, options),
  };
}
