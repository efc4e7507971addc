import type { StoredFile } from "@countersign/adapters/api/endpoints"
import { contentTypeOf } from "@countersign/adapters/identity"
import { HttpServerResponse } from "effect/http"

const fileExtensions = { "application/pdf": "pdf", "image/jpeg": "jpg", "image/png": "png" } as const

/**
 * Responds with an uploaded file. The headers make browsers download it and prevent them from executing its content.
 */
export const fileResponse = ({ content, name }: StoredFile) => {
  const contentType = contentTypeOf(content)
  const fileName = contentType === null ? name : `${name}.${fileExtensions[contentType]}`
  return HttpServerResponse.uint8Array(content, {
    contentType: contentType ?? "application/octet-stream",
    headers: {
      "content-disposition": `attachment; filename="${fileName.replaceAll(/[^\w.-]/gu, "_")}"`,
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "x-content-type-options": "nosniff"
    }
  })
}
