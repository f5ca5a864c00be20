# Cards: `lfn devices`, and `lfn transfer --card`.
target_sources(lfn_cli PRIVATE card_json.cpp card_options.cpp card_run.cpp card_text.cpp devices_command.cpp)
