// Compiles schemas to code at first use, which halves the duration of decoding and encoding.
import "effect/schema/SchemaJITCompiler/enable"

export { Api } from "./api/Api.ts"
export { wireErrors } from "./errors/index.ts"
export { PublicUrl } from "./handlers/publicUrl.ts"
export { ComputeUnitCosts } from "./middleware/computeUnits.ts"
export { ProjectAuth } from "./middleware/definitions.ts"
export { type Examples, openApiDocument } from "./reference/index.ts"
export { ReferenceOfSandbox, type SandboxReference } from "./server/documents.ts"
export { CannotListen, type HttpServiceOptions, layerHttpService } from "./server/HttpService.ts"
export { layerTracing } from "./server/tracing.ts"
export { layerWebhookDelivery } from "./webhooks/layerWebhookDelivery.ts"
