import type { Migration } from "./Migration.ts"

/** Names of projects are unique among those that are not deleted. Later ones of the same name get a part of their id. */
export const projectNames: Migration = {
  name: "0014_project_names",
  statements: ({ integer }) => [
    `update projects set name = substr(name, 1, 88) || ' (' || substr(id, 1, 8) || ')'
      where exists (select 1 from projects earlier where earlier.name = projects.name and
        (earlier.created_at < projects.created_at or
          (earlier.created_at = projects.created_at and earlier.id < projects.id)))`,
    `alter table projects add column deleted_at ${integer}`,
    "create unique index projects_name on projects (name) where deleted_at is null"
  ]
}
