# Koha's reader page: its calls of Authen::CAS::Client, with its system preferences.
use strict;
use warnings;
use Authen::CAS::Client;
use JSON::PP;
use URI::Escape;

my $preferences = decode_json($ENV{SETTINGS});
my $cas         = Authen::CAS::Client->new( $preferences->{casServerUrl} );

sub {
    my $env  = shift;
    my $page = '/cgi-bin/koha/opac-user.pl';
    return [ 404, [], ["no page $env->{PATH_INFO}"] ] unless $env->{PATH_INFO} eq $page;
    my $service = "$ENV{BASE}$page";
    my ($ticket) = ( $env->{QUERY_STRING} // '' ) =~ /(?:^|&)ticket=([^&]+)/;
    return [ 302, [ Location => $cas->login_url($service) ], [] ] unless $ticket;
    my $answer = $cas->service_validate( $service, uri_unescape($ticket) );
    return [ 403, [], ['refused'] ] unless $answer->is_success;
    return [ 200, [ 'Content-Type' => 'application/json' ], [ encode_json( { user => $answer->user } ) ] ];
};
